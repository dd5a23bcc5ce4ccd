import type { ScriptClass } from "../../src/contract/script-class.ts";
import { type Answers, deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/** Whoever is asked next says no: a human who never answers costs a deadline each time. */
const byDeadline: readonly Answers[] = [
  { answers: ["hang"], otherwise: "deny" },
  { answers: ["approve", "hang"], otherwise: "deny" },
];

const byAbort: readonly Answers[] = [
  { ...byDeadline[0]!, abort: { during: "approval", at: 0 } },
  { ...byDeadline[1]!, abort: { during: "approval", at: 1 } },
];

/**
 * A human who never answers, until the harness's own deadline or until the run is aborted. The call does not run, and the
 * run comes to an end.
 *
 * Harnesses get it wrong where the deadline counts as a yes, where the run waits for ever although it was told to stop, or
 * where the calls beside it are lost.
 *
 * Shrinks to one call of the first tool that a human is asked about, and no answer ever.
 *
 * @example
 * { turns: [refund], decisions: ["hang"], abort: { during: "approval", at: 0 } }
 */
export const silentHuman: ScriptClass<Pick> = deciding({
  id: "silent-human",
  says: "A human who never answers, until a deadline or an abort.",
  answers: ({ claims }) => [
    ...(claims.abort === true ? byAbort : []),
    ...(claims.deadlineMs === undefined ? [] : byDeadline),
  ],
  unclaimed: "neither a deadline nor an abort is claimed",
  telling: [],
});
