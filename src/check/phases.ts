import fc, { type Arbitrary } from "fast-check";
import { canonicalWorlds, scripts } from "../../arbitraries/index.ts";
import { describedValue } from "../contract/described-value.ts";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Move, ScriptClass, Setting } from "../contract/script-class.ts";
import { UsageError } from "../errors.ts";
import { messageOf } from "../run/plain.ts";
import type { World } from "../world/world.ts";
import { classes } from "./catalogues.ts";
import { bySize, type Plan, scriptOf } from "./plan.ts";
import { refusing } from "./refusing.ts";
import { runsAfterBreaks, runsAfterRuns, runsBesideRuns, withCompany } from "./several-runs.ts";
import { waitsInVain } from "./waiting-ration.ts";

/**
 * The scripts of a campaign, in order. Enumeration first: a few runs after one another, before anything can have been left
 * behind; in the fullest world every fixed case alone, in the other worlds the few cases that stand for a class, each also
 * with its last turn repeated for ever; a few runs side by side; then, in the fullest world, all pairs of those few cases
 * and all triples of fewer still, one after another and in one turn, smallest first. It finds most faults, shallow ones
 * at once. Random scripts find the deep ones.
 */
export function enumeration(harness: Harness): readonly Script[] {
  return [...playedFirst(harness), ...planned(harness).map(scriptOf)];
}

/** The enumeration, not yet woven, but for what is played first. */
export function planned(harness: Harness): readonly Plan[] {
  const [fullest, ...others] = worldsOf(harness);
  if (fullest === undefined) return [];
  const alone = [
    ...alsoRepeated(fullest, everyCaseIn(harness, fullest)),
    ...others.flatMap((world) => alsoRepeated(world, representativesIn(harness, world))),
  ];
  const together = [...everyPair(harness, fullest), ...everyTriple(harness, fullest)];
  const setting = settingOf(harness, fullest);
  return [...bySize(alone), ...runsBesideRuns(setting), ...bySize(together)];
}

/**
 * What the enumeration plays before all else: runs after one another. Where handlers can't be watched nothing shows what a run
 * leaves behind; there it is one honest call of each tool, again and again, which shows a tool that never answers.
 */
export function playedFirst(harness: Harness): readonly Script[] {
  const [fullest] = worldsOf(harness);
  if (fullest === undefined) return [];
  if (harness.shape?.effects === "told") return honestCallsRepeated(harness, fullest);
  const setting = settingOf(harness, fullest);
  return [...runsAfterRuns(setting), ...runsAfterBreaks(setting)].map(scriptOf);
}

/** Random scripts, drawn in portions so that a campaign that stops early has not drawn them all. */
export function* randomScripts(
  harness: Harness,
  seed: number,
  runs: number,
  portion: number,
): Generator<readonly Script[]> {
  const arbitrary = scriptsFor(harness);
  for (let drawn = 0; drawn < runs; drawn += portion) {
    // Each portion is seeded by its place, so that its scripts do not depend on how many were drawn before.
    const sample = fc.sample(arbitrary, { seed: (seed + drawn) | 0, numRuns: Math.min(portion, runs - drawn) });
    yield sample.map((script, place) => withCompany(script, harness, seed, drawn + place));
  }
}

/** Random scripts for this harness: over its own world, or over generated worlds that it accepts. */
export function scriptsFor(harness: Harness): Arbitrary<Script> {
  const { claims, shape = {}, world, accepts } = harness;
  return scripts({
    claims,
    shape,
    ...refusing(harness),
    ...(world === undefined ? {} : { world }),
    ...(accepts === undefined ? {} : { accepts: (candidate: World) => isAccepted(harness, candidate) }),
  });
}

function isAccepted(harness: Harness, world: World): boolean {
  if (harness.accepts === undefined) return true;
  let answer: unknown;
  try {
    answer = harness.accepts(world);
  } catch (error) {
    throw acceptsFailed(harness, `but it threw: ${messageOf(error)}`);
  }
  if (typeof answer === "boolean") return answer;
  if (answer instanceof Promise) answer.catch(() => {});
  throw acceptsFailed(harness, `got ${describedValue(answer)}`);
}

function acceptsFailed({ name }: Harness, got: string): UsageError {
  return new UsageError(
    "accepts-failed",
    `Expected \`accepts\` of the harness "${name}" to give true or false, ${got}. Do mend it, or leave it out.`,
  );
}

/** The worlds of the enumeration, the fullest first. */
export function worldsOf(harness: Harness): readonly World[] {
  if (harness.world !== undefined) return [harness.world];
  return canonicalWorlds(harness.claims, harness.shape ?? {}).filter((world) => isAccepted(harness, world));
}

function settingOf(harness: Harness, world: World): Setting {
  return { world, claims: harness.claims, shape: harness.shape ?? {}, loaded: new Set(), ...refusing(harness) };
}

/**
 * Each move alone, and then each, if it comes to an end, with its last turn repeated for ever. Not where somebody is waited
 * for in vain: only so many waits are played, and other moves deserve them more.
 */
function alsoRepeated(world: World, moves: readonly Move[]): readonly Plan[] {
  const once = moves.map((move): Plan => ({ world, moves: [move], together: false, repeated: false }));
  const ending = moves.filter((move) => move.afterTurns === undefined && move.turns.length > 0 && !waitsInVain(move));
  return [...once, ...ending.map((move): Plan => ({ world, moves: [move], together: false, repeated: true }))];
}

function honestCallsRepeated(harness: Harness, world: World): readonly Script[] {
  const ofTool = new Map<string, Move>();
  for (const { id, canonical } of classes) {
    if (id !== "honest-call") continue;
    for (const move of canonical(settingOf(harness, world))) {
      const [call, ...others] = move.turns.flatMap(({ proposals }) => proposals);
      if (call?.kind !== "tool-call" || others.length > 0 || ofTool.has(call.name)) continue;
      ofTool.set(call.name, move);
    }
  }
  return [...ofTool.values()].map((move) => scriptOf({ world, moves: [move], together: false, repeated: true }));
}

function everyCaseIn(harness: Harness, world: World): readonly Move[] {
  return movesOf(harness, world, (entry, setting) => entry.canonical(setting));
}

function representativesIn(harness: Harness, world: World): readonly Move[] {
  return movesOf(harness, world, (entry, setting) => entry.representatives(setting));
}

function movesOf(
  harness: Harness,
  world: World,
  pick: (entry: ScriptClass, setting: Setting) => readonly Move[],
): readonly Move[] {
  const setting = settingOf(harness, world);
  return classes.filter((entry) => entry.needs(setting) === undefined).flatMap((entry) => pick(entry, setting));
}

function everyPair(harness: Harness, world: World): readonly Plan[] {
  const moves = representativesIn(harness, world);
  return woven(
    harness,
    world,
    moves.flatMap((first) => moves.map((second) => [first, second])),
  );
}

function everyTriple(harness: Harness, world: World): readonly Plan[] {
  const moves = movesOf(harness, world, (entry, setting) => entry.core?.(setting) ?? []);
  return woven(
    harness,
    world,
    moves.flatMap((first) => moves.flatMap((second) => moves.map((third) => [first, second, third]))),
  );
}

/** One move after another, and where the harness takes several calls in a turn also all in one turn. */
function woven(harness: Harness, world: World, plays: readonly (readonly Move[])[]): readonly Plan[] {
  const inTurns = plays.map((moves): Plan => ({ world, moves, together: false, repeated: false }));
  if (harness.claims.parallelCalls === false) return inTurns;
  return [...inTurns, ...inTurns.map((plan): Plan => ({ ...plan, together: true }))];
}
