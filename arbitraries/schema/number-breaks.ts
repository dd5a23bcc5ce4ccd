import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Break } from "./values.ts";

/** Numbers just outside the bounds, between two whole ones, or between two multiples. */
export function numberBreaks(schema: JsonSchema, value: number): readonly Break[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const whole = [schema.type].flat().includes("integer") && ![schema.type].flat().includes("number");
  const unit = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 1;
  const isWithin = (other: number) =>
    !(typeof minimum === "number" && other < minimum) &&
    !(typeof maximum === "number" && other > maximum) &&
    !(typeof exclusiveMinimum === "number" && other <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && other >= exclusiveMaximum);
  const below = (bound: number) =>
    multipleOf === undefined ? Math.ceil(bound) - 1 : (Math.ceil(bound / unit) - 1) * unit;
  const above = (bound: number) =>
    multipleOf === undefined ? Math.floor(bound) + 1 : (Math.floor(bound / unit) + 1) * unit;
  const found: Break[] = [];
  if (typeof minimum === "number") found.push(["minimum", below(minimum)]);
  if (typeof maximum === "number") found.push(["maximum", above(maximum)]);
  if (typeof exclusiveMinimum === "number" && isUnit(exclusiveMinimum, whole, multipleOf, unit))
    found.push(["exclusiveMinimum", exclusiveMinimum]);
  if (typeof exclusiveMaximum === "number" && isUnit(exclusiveMaximum, whole, multipleOf, unit))
    found.push(["exclusiveMaximum", exclusiveMaximum]);
  if (whole && multipleOf === undefined) {
    const between = [value + 0.5, value - 0.5].find(isWithin);
    if (between !== undefined && !Number.isInteger(between)) found.push(["type", between]);
  }
  if (multipleOf !== undefined) {
    const steps = whole ? [1, -1] : [unit / 2, -unit / 2, unit / 3];
    const between = steps
      .map((step) => value + step)
      .find((other) => isWithin(other) && !Number.isInteger(other / unit));
    if (between !== undefined) found.push(["multipleOf", between]);
  }
  return found;
}

function isUnit(bound: number, whole: boolean, multipleOf: unknown, unit: number): boolean {
  return (!whole || Number.isInteger(bound)) && (multipleOf === undefined || Number.isInteger(bound / unit));
}
