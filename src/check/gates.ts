import { canonicalWorlds, settingOf } from "../../arbitraries/index.ts";
import type { Claims, Harness, Shape } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import type { World } from "../world/world.ts";
import { classes } from "./catalogues.ts";
import { refusing } from "./refusing.ts";

/** Each claim as a harness makes it that does not claim it; what leans on another claim comes first. */
const unclaimed: { readonly [Name in keyof Claims]: Claims[Name] } = {
  argumentPolicies: false,
  approvals: "none",
  deny: false,
  hiddenTools: "none",
  argumentSchemas: false,
  results: false,
  log: false,
  menu: false,
  abort: false,
  stopReason: false,
  budget: "none",
};

type ClaimName = keyof typeof unclaimed;

type Fuzzed = Pick<Harness, "claims" | "shape" | "world" | "normalise">;

/** A class of proposals that these claims call for, and that none of the worlds of a campaign has a place for. */
interface Absence {
  readonly id: string;
  readonly because: string;
  /** The claims without which nobody would miss it. */
  readonly claims: readonly ClaimName[];
}

/**
 * What a campaign could not try, and why: each class and each rule says for itself what it needs. A class is missed where
 * worlds made up for these claims have a place for it and the worlds that were played have none.
 */
export class Gates {
  readonly #harness: Fuzzed;
  readonly #absent: readonly Absence[];

  /** @param worlds those in which scripts were played */
  constructor(harness: Fuzzed, worlds: readonly World[]) {
    this.#harness = harness;
    this.#absent = absences(harness, worlds);
  }

  /** One sentence for each class that was never proposed, though the claims call for it. */
  hints(): readonly string[] {
    return this.#absent.map(
      ({ id, because, claims }) => `\`${id}\` was never proposed: ${because}. ${this.#advice(claims)}`,
    );
  }

  /** For a rule that was broken: the claim that it is judged for, in case that nobody relies on it. */
  whyJudged(rule: Property): string | undefined {
    const [name] = this.#claimsOf(rule);
    if (name === undefined) return undefined;
    return `\`${rule.id}\` is judged because of claims.${name}: where nobody relies on that, set it to ${JSON.stringify(unclaimed[name])}.`;
  }

  /**
   * Why a rule had too little to judge, and the claim or the world that would change it.
   *
   * @param wasCut the campaign ended before all of its scripts were played
   */
  whyNotExercised(rule: Property, exercised: number, wasCut = false): string {
    const own = this.#claimsOf(rule);
    const related = this.#absent.filter((absence) => absence.claims.some((name) => own.includes(name)));
    const absent = own.length > 0 ? related : this.#absent;
    const found =
      exercised === 0
        ? "no script gave the rule anything to judge"
        : `only ${exercised === 1 ? "1 script" : `${exercised} scripts`} gave the rule anything to judge`;
    if (wasCut && absent.length === 0) return `${found} before the campaign was stopped`;
    // A budget is no matter of tools.
    const isOfTools = own.length > 0 && own[0] !== "budget";
    if (absent.length === 0 && isOfTools && exercised === 0 && this.#absent.length > 0) {
      return `${found}: no tool of this world is about claims.${own[0]}. ${this.#advice(own)}`;
    }
    if (absent.length === 0) {
      const { world } = this.#harness;
      const why = "the runs ended before they came to what it is about";
      return world === undefined
        ? `${found}: ${why}`
        : `${found}: nothing in the harness's own world (its tools, its ${world.maxSteps} steps) calls for it, or ${why}`;
    }
    const reasons = [...new Set(absent.map(({ because }) => because))].slice(0, 3);
    return `${found}: ${reasons.join("; ")}. ${this.#advice(own.length > 0 ? own : absent.flatMap((one) => one.claims))}`;
  }

  /** The claims without any one of which the rule would not be judged. */
  #claimsOf(rule: Property): readonly ClaimName[] {
    const { claims, shape = {} } = this.#harness;
    return named().filter((name) => isMissed((other) => rule.needs(other, shape), claims, name));
  }

  #advice(claims: readonly ClaimName[]): string {
    const world =
      this.#harness.world === undefined ? "Let `accepts` accept a world that has one" : "Add one to the world";
    const [name] = claims;
    return name === undefined ? `${world}.` : `${world}, or set claims.${name} to ${JSON.stringify(unclaimed[name])}.`;
  }
}

function absences(harness: Fuzzed, worlds: readonly World[]): Absence[] {
  const { claims, shape = {} } = harness;
  const [fullest] = canonicalWorlds(claims, shape);
  if (fullest === undefined || worlds.length === 0) return [];
  return classes.flatMap((entry) => {
    const needs = (world: World, other: Claims = claims): string | undefined =>
      entry.needs(settingOf(world, other, shape));
    const reasons = worlds.map((world) => entry.needs({ ...settingOf(world, claims, shape), ...refusing(harness) }));
    const [because] = reasons;
    if (because === undefined || reasons.includes(undefined) || needs(fullest) !== undefined) return [];
    const missing = named().filter((name) => isMissed((other) => needs(fullest, other), claims, name));
    return [{ id: entry.id, because, claims: missing }];
  });
}

function named(): readonly ClaimName[] {
  return Object.keys(unclaimed) as ClaimName[];
}

/** Whether what applies under these claims no longer does once one of them is dropped. */
function isMissed(
  needs: (claims: Claims, shape?: Shape) => string | undefined,
  claims: Claims,
  name: ClaimName,
): boolean {
  return needs(claims) === undefined && needs({ ...claims, [name]: unclaimed[name] }) !== undefined;
}
