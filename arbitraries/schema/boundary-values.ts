import type { Json, JsonObject } from "../../src/world/json.ts";

const longest = 4000;

/**
 * Numbers around what a rule compares with, inside the bounds of the schema, the most telling first. Whoever compares
 * texts or prefixes takes 15000 for less than 2000, and 900 for more.
 */
export function tellingNumbers(rule: readonly JsonObject[], bounds: readonly JsonObject[]): readonly number[] {
  const limits = numbersIn(rule, [...low, ...high, "const", "enum"]);
  if (limits.length === 0) return [];
  const unit = numbersIn([...rule, ...bounds], ["multipleOf"])[0] ?? 1;
  const around = (limit: number) => [limit, limit + unit, limit - unit];
  const [tops, bottoms] = [numbersIn(bounds, high).flatMap(around), numbersIn(bounds, low).flatMap(around)];
  const inside = (value: number) =>
    numbersIn(bounds, high).every((top) => value <= top) && numbersIn(bounds, low).every((bottom) => value >= bottom);
  const [most, least] = [Math.max(...tops.filter(inside)), Math.min(...bottoms.filter(inside))];
  const found = limits.flatMap((limit) => {
    const sign = limit < 0 ? -1 : 1;
    const lead = 10 ** (String(Math.trunc(Math.abs(limit))).length - 1);
    const far = [15 * lead, 10 * lead, 100 * lead].map((value) => sign * value);
    const near = [(9 * lead) / 10, 9 * lead, (9 * lead) / 100].map((value) => sign * value);
    return [far[0]!, most, near[0]!, ...around(limit), least, ...far.slice(1), ...near.slice(1)];
  });
  const fractions = limits.flatMap((limit) => [limit + 0.01, limit - 0.01]);
  const whole = [...found, ...tops, ...bottoms].map((value) => Math.trunc(value / unit) * unit);
  // JSON has neither an infinite number nor a minus zero.
  return [...new Set([...whole, ...fractions].filter(Number.isFinite).map((value) => value + 0))];
}

/** The text made as long as the schema and the rule let it be, and one longer or shorter than the rule says. */
export function boundaryTexts(
  rule: readonly JsonObject[],
  bounds: readonly JsonObject[],
  text: Json | undefined,
): readonly string[] {
  if (typeof text !== "string") return [];
  const said = numbersIn(rule, lengths).flatMap((length) => [length, length + 1, length - 1]);
  const all = [...new Set([...said, ...numbersIn(bounds, lengths)])];
  const characters = [...text];
  return all
    .filter((length) => length >= 0 && length <= longest)
    .map(
      (length) =>
        characters.slice(0, length).join("") +
        (characters.at(-1) ?? "a").repeat(Math.max(0, length - characters.length)),
    );
}

const low = ["minimum", "exclusiveMinimum"];
const high = ["maximum", "exclusiveMaximum"];
const lengths = ["minLength", "maxLength"];

function numbersIn(parts: readonly JsonObject[], keywords: readonly string[]): readonly number[] {
  return parts.flatMap((part) =>
    keywords.flatMap((keyword) => part[keyword] ?? []).filter((value) => typeof value === "number"),
  );
}
