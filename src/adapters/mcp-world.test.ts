import { describe, expect, it } from "vitest";
import type { Json } from "../world/json.ts";
import { listedTools } from "./mcp-world.ts";

const withRef = (ref: string) => ({ type: "object", properties: { a: { $ref: ref } } });

describe("listedTools", () => {
  it.each<[Json, string]>([
    ["text", "has an `inputSchema` that is no object"],
    [{ type: "array" }, 'has an `inputSchema` whose type is not "object"'],
    [{ type: "object", required: "a" }, "has an `inputSchema` that is not valid JSON Schema"],
    [withRef("https://x.test/a.json"), 'refers in its `inputSchema` to "https://x.test/a.json", which is not fetched'],
    [withRef("#/$defs/A"), 'refers in its `inputSchema` to "#/$defs/A", which is not there'],
  ])("says why the schema %j can't be used", (inputSchema, why) => {
    expect(listedTools([{ name: "one", inputSchema }])).toMatchObject({
      tools: [],
      unreadable: [{ name: "one", why }],
    });
  });

  it("says of a tool without a schema that it has none, and takes the first of two with one name", () => {
    const inputSchema = { type: "object" };
    const listed = listedTools([{ name: "bare" }, { name: "two", inputSchema }, { name: "two", inputSchema: 7 }]);
    expect(listed.unreadable).toEqual([{ name: "bare", why: "has no `inputSchema`" }]);
    expect(listed.tools).toMatchObject([{ name: "two", inputSchema }]);
    expect([listed.names, listed.twice]).toEqual([["bare", "two"], ["two"]]);
  });
});
