import fc, { type Arbitrary } from "fast-check";
import { canonicalWorlds, scripts, weave } from "../../arbitraries/index.ts";
import type { Harness } from "../contract/harness.ts";
import { type Script, sizeOf } from "../contract/script.ts";
import type { Move, Setting } from "../contract/script-class.ts";
import type { World } from "../world/world.ts";
import { classes } from "./catalogues.ts";

/**
 * The scripts of a campaign, in order. Enumeration first: every fixed case alone and each also with its last turn repeated
 * for ever, then all pairs of the few cases that stand for a class, in one turn and in two, smallest first. It finds most
 * faults, shallow ones at once. Random scripts find the deep ones.
 */
export function enumeration(harness: Harness): readonly Script[] {
  const worlds = worldsOf(harness);
  const alone = worlds.flatMap((world) => everyCaseAlone(harness, world));
  const [fullest] = worlds;
  const pairs = fullest === undefined ? [] : everyPair(harness, fullest);
  return [...alone.sort(bySize), ...pairs.sort(bySize)];
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
    yield fc.sample(arbitrary, { seed: (seed + drawn) | 0, numRuns: Math.min(portion, runs - drawn) });
  }
}

/** Random scripts for this harness: over its own world, or over generated worlds that it accepts. */
export function scriptsFor(harness: Harness): Arbitrary<Script> {
  const { claims, shape = {}, world, accepts } = harness;
  return scripts({
    claims,
    shape,
    ...(world === undefined ? {} : { world }),
    ...(accepts === undefined ? {} : { accepts: (candidate: World) => accepts.call(harness, candidate) }),
  });
}

function worldsOf(harness: Harness): readonly World[] {
  if (harness.world !== undefined) return [harness.world];
  return canonicalWorlds(harness.claims, harness.shape ?? {}).filter((world) => harness.accepts?.(world) ?? true);
}

function settingOf(harness: Harness, world: World): Setting {
  return { world, claims: harness.claims, shape: harness.shape ?? {}, loaded: new Set() };
}

function everyCaseAlone(harness: Harness, world: World): Script[] {
  const setting = settingOf(harness, world);
  const once = classes
    .filter((entry) => entry.needs(setting) === undefined)
    .flatMap((entry) => entry.canonical(setting))
    .map((move) => weave(world, [move]));
  const repeated = once
    .filter((script) => script.afterTurns === "end" && script.turns.length > 0)
    .map((script): Script => ({ ...script, afterTurns: "repeat-last" }));
  return [...once, ...repeated];
}

function everyPair(harness: Harness, world: World): Script[] {
  const setting = settingOf(harness, world);
  const moves: Move[] = classes
    .filter((entry) => entry.needs(setting) === undefined)
    .flatMap((entry) => entry.representatives(setting));
  const inTwoTurns = moves.flatMap((first) => moves.map((second) => weave(world, [first, second])));
  if (harness.claims.parallelCalls === false) return inTwoTurns;
  const inOneTurn = moves.flatMap((first) => moves.map((second) => weave(world, [first, second], { together: true })));
  return [...inTwoTurns, ...inOneTurn];
}

function bySize(left: Script, right: Script): number {
  return sizeOf(left) - sizeOf(right);
}
