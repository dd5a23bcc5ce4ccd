import { describe, expect, test } from "vitest";
import type { Property } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import { call, helpDesk, traceOf } from "../trace-of.ts";
import { ofUntampered } from "./untampered.ts";

describe("untampered", () => {
  test("lets no handler edit the tool list in the other run either, which may reach it", () => {
    const property: Property = ofUntampered({
      id: "any-rule",
      level: "must",
      rule: "Any.",
      holdsWhen: "ever",
      oftenBrokenBy: "nothing",
      needs: () => undefined,
      twin: (script) => script,
      judge: () => ({ kind: "holds", exercised: true }),
    });
    const echo = { kind: "echo" } as const;
    const script: Script = {
      format: 1,
      world: helpDesk,
      turns: [],
      afterTurns: "end",
      handlers: { look_up: [{ kind: "tamper", edit: "allow-all" }, echo] },
      decisions: [],
    };
    const evidence = traceOf().turn(call("look_up")).evidence();
    expect(property.twin?.(script, evidence)?.handlers).toEqual({ look_up: [{ kind: "return", value: "done" }, echo] });
  });
});
