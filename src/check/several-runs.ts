import { brokenOffRuns, overlappingRuns, runsAfterABreak, tellingRuns } from "../../arbitraries/index.ts";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Move, Setting } from "../contract/script-class.ts";
import { isModelFailure } from "../contract/turn.ts";
import type { Plan } from "./plan.ts";

/** How two runs take turns, the first being the one that is judged: the other first, by turns, and one inside the other. */
const schedules: readonly (readonly number[])[] = [
  [1, 1, 1, 1, 1, 1, 1, 1],
  [0, 1, 0, 1, 0, 1, 0, 1],
  [0, 1, 1, 1, 1, 1, 1, 1, 1],
];
const threeByTurns = [0, 1, 2, 0, 1, 2, 0, 1, 2];

/** One script in so many of the random ones has company. */
const oneIn = 25;

/**
 * Each telling run alone, and after each other one. A run that a harness has not met yet is played alone first, and then
 * at once before all that it has met: what it leaves behind, maybe for ever, is found before the next one comes.
 */
export function runsAfterRuns(setting: Setting): readonly Plan[] {
  const runs = tellingRuns(setting).map((move) => planOf(setting, move));
  return runs.flatMap((run, index) => [
    run,
    ...runs.slice(0, index + 1).map((judged): Plan => ({ ...judged, before: [run] })),
    ...runs.slice(0, index).map((earlier): Plan => ({ ...run, before: [earlier] })),
  ]);
}

/** After each run that broke off, a few that show best what it left behind; these were played alone before. */
export function runsAfterBreaks(setting: Setting): readonly Plan[] {
  const judged = runsAfterABreak(setting).map((move) => planOf(setting, move));
  const broken = brokenOffRuns(setting).map((move) => planOf(setting, move));
  return broken.flatMap((earlier) => judged.map((run): Plan => ({ ...run, before: [earlier] })));
}

/** Each overlapping run beside each other one, and a few threes. Which one is judged is arbitrary, so each has its turn. */
export function runsBesideRuns(setting: Setting): readonly Plan[] {
  if (setting.claims.concurrentRuns === false) return [];
  const runs = overlappingRuns(setting).map((move) => planOf(setting, move));
  const pairs = runs.flatMap((plan) => runs.map((other): Plan => ({ ...plan, beside: [other] })));
  const threes = runs.map((plan, index): Plan => {
    const others = [runs[(index + 1) % runs.length]!, runs[(index + 2) % runs.length]!];
    return { ...plan, beside: others, schedule: threeByTurns };
  });
  return [...schedules.flatMap((schedule) => pairs.map((plan): Plan => ({ ...plan, schedule }))), ...threes];
}

function planOf({ world }: Setting, move: Move): Plan {
  return { world, moves: [move], together: false, repeated: false };
}

/** The random scripts, a few of them with company. `place` counts all that are drawn with one seed. */
export function withCompany(script: Script, harness: Harness, seed: number, place: number): Script {
  return place % oneIn === oneIn - 1 ? accompanied(script, harness, mixed(seed, place)) : script;
}

/**
 * A script with another run before or beside it, in the same world: the same script once more where the human says
 * otherwise, or where this run lacks what the other one loads.
 */
export function accompanied(script: Script, harness: Harness, number: number): Script {
  const says = (decision: "approve" | "deny"): Script => ({
    ...script,
    decisions: script.decisions.map(() => decision),
  });
  const pairs: readonly (readonly [judged: Script, other: Script])[] = [
    [script, script],
    [says("deny"), says("approve")],
    [withoutLoads(script), script],
    [script, withoutLoads(script)],
  ];
  const [judged, other] = pairs[number % pairs.length]!;
  const rest = Math.floor(number / pairs.length);
  if (harness.claims.concurrentRuns === false || rest % 3 === 0) return { ...judged, before: [other] };
  const schedule = Array.from({ length: 12 }, (_, index) => (rest >> (index + 2)) & 1);
  return { ...judged, beside: [other], schedule };
}

function withoutLoads(script: Script): Script {
  const turns = script.turns.map((turn) => {
    if (isModelFailure(turn)) return turn;
    return { ...turn, proposals: turn.proposals.filter(({ kind }) => kind !== "load-skill") };
  });
  return { ...script, turns: turns.filter((turn) => isModelFailure(turn) || turn.proposals.length > 0) };
}

/** A number that depends on both, and repeats itself late: the finalizer of MurmurHash3. */
function mixed(seed: number, place: number): number {
  let bits = Math.imul(seed ^ Math.imul(place, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
