import fc from "fast-check";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Json } from "../../src/world/json.ts";
import type { Values } from "./values.ts";

const reach = 1000;

/** Numbers within a schema's bounds, small and round ones first. */
export function numberValues(schema: JsonSchema, whole: boolean): Values {
  const unit = typeof schema.multipleOf === "number" && schema.multipleOf > 0 ? schema.multipleOf : 1;
  const low = Math.max(bound(schema.minimum, -Infinity), bound(schema.exclusiveMinimum, -Infinity));
  const high = Math.min(bound(schema.maximum, Infinity), bound(schema.exclusiveMaximum, Infinity));
  const fits = (value: number) =>
    Number.isFinite(value) &&
    value >= low &&
    value <= high &&
    value !== schema.exclusiveMinimum &&
    value !== schema.exclusiveMaximum &&
    (!whole || Number.isInteger(value)) &&
    (schema.multipleOf === undefined || Number.isInteger(value / unit));
  const [from, to] = window(Math.ceil(low / unit), Math.floor(high / unit));
  const candidates = [
    1,
    2,
    10,
    0,
    -1,
    unit,
    from * unit,
    (from + 1) * unit,
    to * unit,
    (to - 1) * unit,
    (low + high) / 2,
  ];
  const canonical = [...new Set(candidates.map(positiveZero).filter(fits))].slice(0, 4);
  const units = fc
    .integer(from <= to ? { min: from, max: to } : { min: 0, max: 0 })
    .map((count) => positiveZero(count * unit));
  const free = whole || schema.multipleOf !== undefined;
  const drawn = free
    ? units
    : fc.oneof(
        units,
        fc.tuple(units, fc.constantFrom(0.25, 0.5, 0.125)).map(([a, b]) => a + b),
      );
  // Mostly inside already; what is not is replaced by a value that is, so that drawing never has to be repeated.
  const fallback = canonical[0] ?? 0;
  return { canonical, arbitrary: drawn.map((value): Json => (fits(value) ? value : fallback)) };
}

function bound(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** JSON has no minus zero. */
function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** A stretch of at most a few thousand whole numbers, around zero where zero is within the bounds. */
function window(low: number, high: number): readonly [number, number] {
  if (low > 0) return [low, Math.min(high, low + reach)];
  if (high < 0) return [Math.max(low, high - reach), high];
  return [Math.max(low, -reach), Math.min(high, reach)];
}
