import { describe, expect, it } from "vitest";
import type { Property } from "../contract/property.ts";
import type { Gates } from "./gates.ts";
import { findingOf } from "./known-report.test-kit.ts";
import { RuleLedger } from "./ledger.ts";

const rule: Property = {
  id: "a-rule",
  level: "must",
  rule: "",
  holdsWhen: "",
  oftenBrokenBy: "",
  needs: () => undefined,
  judge: () => ({ kind: "holds", exercised: true }),
};
const gates = { whyNotExercised: () => "next to nothing" } as unknown as Gates;
const judged = { kind: "holds", exercised: true } as const;

function ledgerOf(times: number): RuleLedger {
  const ledger = new RuleLedger(rule, { approvals: "none", deny: false, hiddenTools: "none" }, {});
  for (let time = 0; time < times; time += 1) ledger.enter([judged]);
  return ledger;
}

describe("ledger", () => {
  it("tells what is open beside the findings: whoever accepts these has not accepted that", () => {
    const unknown = ledgerOf(9);
    unknown.enter([{ kind: "unknown", because: "the property threw" }]);
    unknown.add(findingOf("crashed"));
    expect(unknown.report(gates)).toMatchObject({
      verdict: "violated",
      otherwise: { verdict: "unknown", because: "the property threw" },
    });
    const little = ledgerOf(1);
    little.add(findingOf("crashed"));
    const otherwise = { verdict: "not-exercised", because: "next to nothing" };
    expect(little.report(gates)).toMatchObject({ verdict: "violated", otherwise });
  });

  it("says nothing of it where the rule would hold, nor where there are no findings", () => {
    const ledger = ledgerOf(9);
    ledger.add(findingOf("crashed"));
    expect(ledger.report(gates)).not.toHaveProperty("otherwise");
    expect(ledgerOf(0).report(gates)).not.toHaveProperty("otherwise");
  });
});
