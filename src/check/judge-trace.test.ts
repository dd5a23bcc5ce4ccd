import { describe, expect, it } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { Evidence, Property } from "../contract/property.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import { judgeTrace } from "./judge-trace.ts";

const harness: Harness = {
  name: "none",
  claims: { approvals: "none", deny: false, hiddenTools: "none" },
  run: async () => ({ status: "answered" }),
};
const scripts = [1, 2, 3].map((maxSteps): Script => {
  const world = { tools: [], skills: [], maxSteps };
  return { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
});
const [script, first, second] = scripts as [Script, Script, Script];
const trace: Trace = [{ type: "asked", step: 0 }];

/** Judges by a rule with these twins; gives the scripts that were played, and the budget of the run it was compared with. */
async function judged(twins: Pick<Property, "twin" | "secondTwin">) {
  const played: Script[] = [];
  let compared: Evidence | undefined;
  const rule: Property = {
    id: "compares-two-runs",
    level: "must",
    rule: "Two runs are compared.",
    holdsWhen: "always",
    oftenBrokenBy: "nothing",
    needs: () => undefined,
    ...twins,
    judge(_, twin) {
      compared = twin;
      return { kind: "holds", exercised: true };
    },
  };
  const judgement = await judgeTrace(rule, harness, script, trace, async (toPlay) => {
    played.push(toPlay);
    return [...trace];
  });
  return { played, compared: compared?.world.maxSteps, judgement };
}

describe("judgeTrace", () => {
  it("plays no other run where the rule asks for none", async () => {
    const { played, compared, judgement } = await judged({ twin: () => undefined, secondTwin: () => second });
    expect([played, compared, judgement.twin]).toEqual([[], undefined, undefined]);
  });

  it("compares with the second twin where the first one did not show enough, and reports that one", async () => {
    const one = await judged({ twin: () => first, secondTwin: () => undefined });
    expect([one.played, one.compared, one.judgement.twin?.script]).toEqual([[first], 2, first]);
    const two = await judged({
      twin: () => first,
      secondTwin: (_script, _evidence, twin) => (twin.world.maxSteps === 2 ? second : undefined),
    });
    expect([two.played, two.compared, two.judgement.twin?.script]).toEqual([[first, second], 3, second]);
  });

  it("is unknown where the rule throws while it names its second twin", async () => {
    const { judgement } = await judged({
      twin: () => first,
      secondTwin: () => {
        throw new Error("lost");
      },
    });
    expect(judgement.verdicts).toMatchObject([{ kind: "unknown", because: expect.stringContaining("lost") }]);
  });
});
