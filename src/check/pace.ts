import type { Plan } from "./plan.ts";

/**
 * By when each part of a campaign should be through, as a share of the time that it has, and at least this share of what is
 * left: looking into failures may have used up its time. The rest is for them.
 */
const due = {
  first: { by: 0.15, least: 0.1 },
  alone: { by: 0.4, least: 0.3 },
  together: { by: 0.65, least: 0.4 },
  random: { by: 0.9, least: 0.5 },
};

/** A plan stands until it would be late by this part: measured times go up and down. */
const tolerance = 1.25;

/**
 * Milliseconds a run of a harness that is fast: all scripts of a campaign take it little more than half a minute. Scripts
 * that show most of what a slow one does wrong, and between which times playing these is no burden, in milliseconds: half a
 * minute and a minute, less a tenth for looking into the last failures.
 */
const comfortable = { fastMs: 2.5, scripts: 2_000, least: 27_000, most: 54_000 };

/**
 * How long a campaign may take unless the user says so, in milliseconds: about half a minute, and up to a minute for a harness
 * that takes more than 13 milliseconds a run, as one over HTTP does. A fast one has a minute too, which it needs only where
 * the machine is busy.
 *
 * @example comfortableMs(4); // 27000
 */
export function comfortableMs(msPerRun: number): number {
  const { fastMs, least, most, scripts } = comfortable;
  return msPerRun <= fastMs ? most : Math.min(most, Math.max(least, scripts * msPerRun));
}

type Part = keyof typeof due;

const names: readonly (readonly [Part, string])[] = [
  ["first", "runs after one another"],
  ["alone", "single cases"],
  ["together", "pairs and triples"],
  ["random", "random scripts"],
];

export interface PaceSettings {
  /** Milliseconds that the campaign should take, for a harness that takes so long a run. */
  timeMs(msPerRun: number): number;
  /** Milliseconds since the campaign began. */
  elapsed(): number;
  /** Milliseconds that a run takes, played and judged; unknown as long as none was. */
  msPerRun(): number | undefined;
  /** Its time is counted in scripts, not in milliseconds: so many as the user asks for. */
  readonly inScripts?: true;
}

/**
 * Fits a campaign into its time. A harness that takes milliseconds a run plays all, whatever the clock says; a slow one, such
 * as one over HTTP, plays a part that is spread evenly, so that it is judged in breadth instead of being cut off somewhere.
 */
export class Pace {
  readonly #settings: PaceSettings;
  readonly #books = new Map<Part, { planned: number; leftOut: number }>();
  #msPerRun = 0;

  constructor(settings: PaceSettings) {
    this.#settings = settings;
  }

  /** Those of the scripts in which runs come after one another that there is time for: each is of about two runs. */
  fitFirst<Item>(scripts: readonly Item[]): readonly Item[] {
    return this.#fit("first", scripts, (most) => evenly(scripts, Math.ceil(most / 2)), 2);
  }

  /** The same of the cases that are played alone and still to come. To be asked again as time goes by. */
  fitAlone(plans: readonly Plan[]): readonly Plan[] {
    // Repeating a turn up to the budget takes many times as long; where scripts are counted each counts for one.
    const isDear = this.#settings.inScripts === true ? () => false : ({ repeated }: Plan) => repeated;
    return this.#fit("alone", plans, (most) => thinned(plans, most, isDear));
  }

  /** The same of the pairs and triples. */
  fitTogether(plans: readonly Plan[]): readonly Plan[] {
    return this.#fit("together", plans, (most) => thinned(plans, most, ({ moves }) => moves.length > 2));
  }

  /** How many random scripts there is time for. */
  fitRandom(runs: number): number {
    return this.#fit("random", { length: runs }, (most) => ({ length: most })).length;
  }

  get leftOut(): number {
    return [...this.#books.values()].reduce((sum, { leftOut }) => sum + leftOut, 0);
  }

  hints(): readonly string[] {
    const parts = names.flatMap(([part, name]) => {
      const { planned, leftOut } = this.#books.get(part) ?? { planned: 0, leftOut: 0 };
      const [played, of] = [planned - leftOut, planned].map((count) => count.toLocaleString("en"));
      return leftOut === 0 ? [] : [`${played} of ${of} ${name}`];
    });
    if (parts.length === 0) return [];
    const all = [parts.slice(0, -1).join(", "), parts.at(-1)].filter((words) => words !== "").join(" and ");
    if (this.#settings.inScripts === true) return [`Of all scripts, ${all} were played, as \`scripts\` asks.`];
    const ms = Math.round(this.#msPerRun * 10) / 10;
    return [`This harness takes ${ms} ms a run: ${all} were played. Raise the time limit to play all.`];
  }

  #fit<Items extends { readonly length: number }>(
    part: Part,
    items: Items,
    thin: (most: number) => Items,
    runsEach = 1,
  ): Items {
    const book = this.#books.get(part) ?? { planned: items.length, leftOut: 0 };
    const isFirst = !this.#books.has(part);
    this.#books.set(part, book);
    const { elapsed } = this.#settings;
    const ms = this.#settings.msPerRun();
    if (ms === undefined) return items;
    const timeMs = this.#settings.timeMs(ms);
    const left = timeMs - elapsed();
    const time = Math.max(timeMs * due[part].by - elapsed(), left * due[part].least, 0);
    if (items.length * runsEach * ms <= time * (isFirst ? 1 : tolerance)) return items;
    const kept = thin(Math.floor(time / ms));
    book.leftOut += items.length - kept.length;
    this.#msPerRun = ms;
    return kept;
  }
}

function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const take = everySo(items.length, Math.min(items.length, most));
  return items.filter(take);
}

/** So many of these plans, in their order: the dear ones are given up first, then the others, each evenly from the first on. */
export function thinned(plans: readonly Plan[], most: number, isDear: (plan: Plan) => boolean): readonly Plan[] {
  const dear = plans.filter(isDear).length;
  const others = plans.length - dear;
  const takeOther = everySo(others, Math.min(others, most));
  const takeDear = everySo(dear, Math.min(dear, Math.max(0, most - others)));
  return plans.filter((plan) => (isDear(plan) ? takeDear() : takeOther()));
}

/** Says yes `wanted` times when asked `of` times: the first time, and then at even distances. */
function everySo(of: number, wanted: number): () => boolean {
  let place = -1;
  return () => {
    place += 1;
    return wanted > 0 && Math.ceil((place * wanted) / of) < Math.ceil(((place + 1) * wanted) / of);
  };
}
