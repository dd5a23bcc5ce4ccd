import type { Evidence } from "../../src/contract/property.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import { licencesOf } from "../licences.ts";
import type { Delivered } from "./deliveries.ts";
import { inTurn, violated } from "./verdicts.ts";

/**
 * Calls that ran and returned, and whose result no later turn was shown. After the last turn nobody reads results; and a
 * turn asked for on the side (a title, a summary) may come in between, so that any later one will do.
 */
export function lostResults(evidence: Evidence, due: readonly Delivered[]): readonly Violation[] {
  const { trace, claims } = evidence;
  if (!claims.results) return [];
  const { creditsOf } = licencesOf(evidence);
  const returned = new Map<number, number>();
  const shown = new Map<string, number>();
  const asks: { readonly at: number; readonly step: number }[] = [];
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "handler-settled") returned.set(event.effect, at);
    if (event.type !== "asked") continue;
    asks.push({ at, step: event.step });
    for (const result of event.results ?? []) shown.set(result.callId, at);
  }
  const last = asks.at(-1);
  if (last === undefined) return [];
  return due.flatMap((call) => {
    const credit = creditsOf.get(call)?.[0];
    const settledAt = credit === undefined ? undefined : returned.get(credit.effect.effect);
    if (settledAt === undefined || last.step <= call.step || last.at < settledAt) return [];
    if ((shown.get(call.call.callId) ?? -1) > call.at) return [];
    const next = asks.find((ask) => ask.step > call.step && ask.at > settledAt) ?? last;
    return violated(
      next.at,
      "lost-result",
      `"${call.call.name}" ran ${inTurn(call.step)}, but its result did not come back to the model.`,
    );
  });
}
