import type { Script } from "../contract/script.ts";
import { omit, type Simplification } from "./simplification.ts";
import { withPlainHandlers } from "./simplify-handlers.ts";
import { withPlainProposals } from "./simplify-proposals.ts";
import { withoutProposals, withoutTurns, withoutWhatFollows } from "./simplify-turns.ts";

const kinds = ["before", "beside"] as const;

/** Fewer runs before and beside, and fewer turns and proposals in them. */
export function* withLessCompany(script: Script): Iterable<Script> {
  if (script.before !== undefined) yield omit(script, "before");
  if (script.beside !== undefined) {
    const alone = omit(omit(script, "beside"), "schedule");
    yield alone;
    // What one run does to the next is easier to follow than what they do to each other.
    if (script.before === undefined) yield { ...alone, before: script.beside };
  }
  for (const kind of kinds) {
    const runs = script[kind] ?? [];
    if (runs.length > 1)
      yield* runs.map((_, at) => ({ ...script, [kind]: runs.filter((_run, index) => index !== at) }));
  }
  yield* inOtherRuns(script, [withoutTurns, withoutProposals]);
}

/** What the other runs can do without. */
export function* withPlainCompany(script: Script): Iterable<Script> {
  yield* inOtherRuns(script, [
    withoutWhatFollows,
    withLessCompany,
    withoutIncidents,
    withPlainHandlers,
    withPlainProposals,
  ]);
  if (script.schedule !== undefined) yield* withShorterSchedule(script, script.schedule);
}

/** No abort, and a model that leaves what it is shown alone. */
export function* withoutIncidents(script: Script): Iterable<Script> {
  if (script.abort !== undefined) yield omit(script, "abort");
  if (script.modelEditsInput !== undefined) yield omit(script, "modelEditsInput");
}

function* inOtherRuns(script: Script, simplifications: readonly Simplification[]): Iterable<Script> {
  for (const kind of kinds) {
    const runs = script[kind] ?? [];
    for (const [at, run] of runs.entries()) {
      for (const simplify of simplifications) {
        for (const simpler of simplify(run, Number.POSITIVE_INFINITY)) {
          yield { ...script, [kind]: runs.map((other, index) => (index === at ? simpler : other)) };
        }
      }
    }
  }
}

function* withShorterSchedule(script: Script, schedule: readonly number[]): Iterable<Script> {
  if (script.beside === undefined || schedule.length === 0) {
    yield omit(script, "schedule");
    return;
  }
  yield { ...script, schedule: schedule.slice(0, Math.floor(schedule.length / 2)) };
  for (const at of schedule.keys()) yield { ...script, schedule: schedule.filter((_, index) => index !== at) };
}
