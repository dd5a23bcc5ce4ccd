import { tool } from "@openai/agents";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../world/input-schema.ts";
import type { Json } from "../world/json.ts";
import { withoutStrictNulls } from "./openai-agents-strict.ts";

const schema = z.object({
  order: z.string(),
  note: z.string().optional(),
  nothing: z.string().nullish(),
  parts: z.array(z.object({ size: z.int().optional() })).optional(),
  place: z.object({ shelf: z.string().optional() }).optional(),
});
const json = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;

/** What the SDK itself hands to a tool. */
async function handedOver(args: Json): Promise<unknown> {
  let got: unknown;
  const probe = tool({
    name: "probe",
    description: "",
    parameters: schema,
    execute: (input) => {
      got = input;
    },
  });
  await probe.invoke({} as Parameters<typeof probe.invoke>[0], JSON.stringify(args));
  return got;
}

describe("withoutStrictNulls", () => {
  it.each<{ args: Json; read: Json }>([
    { args: { order: "A", note: null }, read: { order: "A" } },
    { args: { order: "A", nothing: null }, read: { order: "A", nothing: null } },
    { args: { order: "A", parts: [{ size: null }, { size: 2 }] }, read: { order: "A", parts: [{}, { size: 2 }] } },
    { args: { order: "A", place: { shelf: null } }, read: { order: "A", place: {} } },
    { args: { order: "A", place: null, parts: null }, read: { order: "A" } },
  ])("reads $args as the SDK does", async ({ args, read }) => {
    expect(withoutStrictNulls(json, args)).toEqual(read);
    expect(await handedOver(args)).toEqual(read);
  });

  it("leaves what is required, has a default or is no field", () => {
    const fields = { order: { type: "string" }, code: { type: "string", default: "A" } };
    const args = { order: null, code: null, other: null };
    expect(withoutStrictNulls({ type: "object", properties: fields, required: ["order"] }, args)).toEqual(args);
    expect(withoutStrictNulls({ type: "object" }, [null])).toEqual([null]);
  });

  it("leaves an own key called __proto__ where it is", () => {
    const read = withoutStrictNulls(json, JSON.parse('{"order":"A","__proto__":{"note":null}}') as Json);
    expect(Object.keys(read as object)).toEqual(["order", "__proto__"]);
  });
});
