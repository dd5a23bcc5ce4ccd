/**
 * The name of the function that a campaign plants, non-enumerable, on `Object.prototype`, and proposes like any other
 * inherited name: calling `Object` or `toString` leaves no trace, calling this one does. Fixed, so that saved scripts replay.
 */
export const PLANTED_NAME = "inheritedFromNowhere";
