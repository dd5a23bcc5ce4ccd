import { type Json, parseArguments } from "../../src/world/json.ts";
import { readArguments } from "./argument-text.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";

/** What the human was shown; a text that holds arguments says as much as the arguments themselves. */
export function shownArguments(args: Json): Json {
  return typeof args === "string" ? (parseArguments(args) ?? args) : args;
}

/**
 * Whether arguments that both fit a call are one reading of it. Where a key comes twice there are two, and a human who was
 * shown the one has not approved the other.
 */
export function isSameReading(call: Delivered, shown: unknown, ran: unknown): boolean {
  const readings = readArguments(call.call.args, false).values;
  if (readings.length < 2) return true;
  // What the harness's schema makes of the arguments is made of the last of two equal keys.
  const [last, first, ...normalised] = call.values;
  return [[last, ...normalised], [first]].some((values) => {
    const reading = { ...call, values: values.filter((value) => value !== undefined) };
    return hasArguments(reading, shown) && hasArguments(reading, ran);
  });
}
