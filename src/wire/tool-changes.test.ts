import { describe, expect, it } from "vitest";
import { withToolChanges } from "./tool-changes.ts";

const reference = (name: string) => ({ type: "tool_reference", name });
const system = (...content: readonly object[]) => ({ role: "system", content });

describe("tool-changes", () => {
  it("follows additions and removals in the order in which they were sent", () => {
    const added = { type: "tool_addition", tool: { type: "tool_definition", definition: { name: "refund" } } };
    const back = { type: "tool_addition", tool: reference("lookup") };
    const gone = (name: string) => ({ type: "tool_removal", tool: reference(name) });
    expect(withToolChanges(["lookup"], [system(gone("lookup"), added)])).toEqual(["refund"]);
    expect(withToolChanges(["lookup"], [system(gone("lookup")), system(back, gone("nothing"))])).toEqual(["lookup"]);
    expect(withToolChanges(["lookup"], [system(added), { role: "user", content: [gone("lookup")] }])).toEqual([
      "lookup",
      "refund",
    ]);
  });

  it("leaves the menu alone where nothing is said of it", () => {
    expect(withToolChanges(["lookup"], undefined)).toEqual(["lookup"]);
    expect(withToolChanges(["lookup"], [{ role: "system", content: "Be kind." }, null])).toEqual(["lookup"]);
  });
});
