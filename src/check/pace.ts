import type { Plan } from "./plan.ts";

/** The part of the time limit by which the enumeration should be through, and at least this part of what is left of it. */
const share = { ofAll: 0.6, ofRest: 0.7 };

/** A plan stands until it would be late by this part: measured times go up and down. */
const tolerance = 1.25;

export interface PaceSettings {
  readonly timeLimitMs: number;
  /** Milliseconds since the campaign began. */
  elapsed(): number;
  /** Milliseconds that a run takes, played and judged; unknown as long as none was. */
  msPerRun(): number | undefined;
}

/**
 * Fits the pairs and triples of the enumeration into the time limit. A harness that takes milliseconds a run plays them all,
 * whatever the clock says; a slow one, such as one over HTTP, plays a part that is spread evenly, so that it is judged in
 * breadth instead of being cut off somewhere.
 */
export class Pace {
  readonly #settings: PaceSettings;
  #planned: number | undefined;
  #leftOut = 0;
  #msPerRun = 0;

  constructor(settings: PaceSettings) {
    this.#settings = settings;
  }

  /** Those of the pairs and triples still to come that there is time for. To be asked again as time goes by. */
  fit(plans: readonly Plan[]): readonly Plan[] {
    const isFirst = this.#planned === undefined;
    this.#planned ??= plans.length;
    const { timeLimitMs, elapsed, msPerRun } = this.#settings;
    const ms = msPerRun();
    if (ms === undefined) return plans;
    const left = timeLimitMs - elapsed();
    const time = Math.max(timeLimitMs * share.ofAll - elapsed(), left * share.ofRest, 0);
    if (plans.length * ms <= time * (isFirst ? 1 : tolerance)) return plans;
    const kept = thinned(plans, Math.floor(time / ms));
    this.#leftOut += plans.length - kept.length;
    this.#msPerRun = ms;
    return kept;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  hints(): readonly string[] {
    if (this.#leftOut === 0) return [];
    const ms = Math.round(this.#msPerRun * 10) / 10;
    const all = this.#planned ?? 0;
    const [played, of] = [all - this.#leftOut, all].map((count) => count.toLocaleString("en"));
    return [
      `This harness takes ${ms} ms a run: ${played} of ${of} pairs and triples were played. Raise \`timeLimitMs\` to play all.`,
    ];
  }
}

/** So many of these plans, in their order: triples are given up first, then pairs, each evenly from the first on. */
export function thinned(plans: readonly Plan[], most: number): readonly Plan[] {
  const isTriple = ({ moves }: Plan): boolean => moves.length > 2;
  const triples = plans.filter(isTriple).length;
  const pairs = plans.length - triples;
  const takePair = everySo(pairs, Math.min(pairs, most));
  const takeTriple = everySo(triples, Math.min(triples, Math.max(0, most - pairs)));
  return plans.filter((plan) => (isTriple(plan) ? takeTriple() : takePair()));
}

/** Says yes `wanted` times when asked `of` times: the first time, and then at even distances. */
function everySo(of: number, wanted: number): () => boolean {
  let place = -1;
  return () => {
    place += 1;
    return wanted > 0 && Math.ceil((place * wanted) / of) < Math.ceil(((place + 1) * wanted) / of);
  };
}
