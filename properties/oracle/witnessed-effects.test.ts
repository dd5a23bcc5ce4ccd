import { describe, expect, it } from "vitest";
import { catalogue } from "../index.ts";
import { allClaims } from "../trace-of.ts";

describe("needsWitnessedEffects", () => {
  it("leaves what an answer alone shows, where handlers can't be watched", () => {
    const told = catalogue.filter(({ needs }) => needs(allClaims, { effects: "told" }) === undefined);
    const witnessed = catalogue.filter(({ needs }) => needs(allClaims, { effects: "witnessed" }) === undefined);
    const lost = witnessed.filter((rule) => !told.includes(rule)).map(({ id }) => id);
    expect(lost).toEqual([
      "each-proposal-runs-at-most-once",
      "failures-are-not-reported-as-success",
      "handler-failures-are-contained",
      "handlers-get-the-proposed-arguments",
      "honest-calls-run",
      "names-reach-their-own-handler",
      "nothing-runs-after-the-stop",
      "runs-do-not-share-state",
    ]);
    expect(witnessed).toEqual(catalogue.filter(({ needs }) => needs(allClaims, {}) === undefined));
  });
});
