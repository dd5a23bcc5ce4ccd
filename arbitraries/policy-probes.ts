import { isJsonObject, type Json, type JsonObject } from "../src/world/json.ts";
import { decide } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { argumentsFor } from "./arguments-for.ts";
import { policySides } from "./policy-sides.ts";

const most = 36;
const byTool = new WeakMap<ToolSpec, readonly JsonObject[]>();

/**
 * Arguments that a careless policy misreads, for a tool whose permission depends on them: what a rule looks for, as the
 * beginning of something longer, after a semicolon, in another case or type, nested, or gone. None for other tools.
 *
 * @example
 * // the rule allows "ls": { command: "ls; rm -rf /" }, { command: ["ls"] }, { command: "LS" }, {} ...
 */
export function policyProbes(tool: ToolSpec): readonly JsonObject[] {
  const found = byTool.get(tool) ?? search(tool);
  byTool.set(tool, found);
  return found;
}

function search(tool: ToolSpec): readonly JsonObject[] {
  const { permission: policy, inputSchema } = tool;
  if (typeof policy === "string") return [];
  const plain = argumentsFor(inputSchema).pool;
  const lists: (readonly JsonObject[])[] = [];
  const honest = new Set([...plain, ...policySides(tool)].map((args) => JSON.stringify(args)));
  for (const { when } of policy.rules) {
    const met = argumentsFor({ allOf: [inputSchema, when], type: "object" }).pool;
    for (const args of met) honest.add(JSON.stringify(args));
    const inside = [
      met.find((args) => decide({ rules: [{ when, then: "deny" }], otherwise: "allow" }, args) === "deny"),
    ];
    const outside = plain.filter(
      (args) => decide({ rules: [{ when, then: "deny" }], otherwise: "allow" }, args) === "allow",
    );
    for (const args of inside) if (args !== undefined) lists.push(...misread(when, args, outside[0] ?? {}));
  }
  const all = new Map(inTurns(lists).map((args) => [JSON.stringify(args), args]));
  return [...all]
    .filter(([text]) => !honest.has(text))
    .map(([, args]) => args)
    .slice(0, most);
}

/** For each field that a rule looks at, the same arguments with that field made hard to read. */
function misread(when: JsonObject, met: JsonObject, unmet: JsonObject): readonly (readonly JsonObject[])[] {
  const fields = Object.keys(isJsonObject(when.properties) ? when.properties : {}).filter((key) => key in met);
  return fields.map((field) => {
    const { [field]: value, ...rest } = met;
    const other = Object.hasOwn(unmet, field) ? unmet[field]! : "";
    const readings =
      typeof value === "string" ? ofText(value, other) : typeof value === "number" ? ofNumber(value) : ofAny(value!);
    const whole: readonly JsonObject[] = [
      rest,
      { ...unmet, args: met },
      { ...unmet, [field.toUpperCase()]: value! },
      { ...unmet, [`${field} `]: value! },
    ];
    return [...readings.map((reading): JsonObject => ({ ...met, [field]: reading })), ...whole];
  });
}

/** Chained and quoted as in a shell, begun and ended with the text, folded, padded, of another type. */
function ofText(text: string, other: Json): readonly Json[] {
  const more = typeof other === "string" && other !== "" ? other : "x";
  return [
    `${text}; rm -rf /`,
    [text],
    `${text} && ${more}`,
    text.toUpperCase(),
    ` ${text}`,
    `${text}\n${more}`,
    { value: text },
    `${more}; ${text}`,
    `${text}${more}`,
    `${text} | sh`,
    `$(${text})`,
    `${text}\u0000`,
    `${text.slice(0, 1)}\u200B${text.slice(1)}`,
    text.slice(0, -1),
    7,
    null,
    true,
  ];
}

function ofNumber(value: number): readonly Json[] {
  return [
    String(value),
    [value],
    -value,
    value + 0.5,
    { value },
    `${value}e3`,
    value * 1000,
    Number.MAX_SAFE_INTEGER,
    null,
    true,
  ];
}

function ofAny(value: Json): readonly Json[] {
  return [String(value), [value], { value }, null, 0, ""];
}

function inTurns(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, row) => lists.flatMap((list) => list.slice(row, row + 1))).flat();
}

const texts = new WeakMap<ToolSpec, ReadonlySet<string>>();

/** Whether an argument text is one of these. */
export function isPolicyProbe(tool: ToolSpec, text: string): boolean {
  const known = texts.get(tool) ?? new Set(policyProbes(tool).map((args) => JSON.stringify(args)));
  texts.set(tool, known);
  return known.has(text);
}
