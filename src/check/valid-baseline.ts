import { type Baseline, type BaselineEntry, baselineSchema } from "../contract/baseline.ts";
import { describedValue } from "../contract/described-value.ts";
import { expectation } from "../contract/expectation.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { plainSentence } from "../contract/plain-sentence.ts";
import { properties } from "./catalogues.ts";

/**
 * A baseline that came from outside; a usage error in plain words where it can't be used.
 *
 * @param where the file it comes from, for the error.
 * @example
 * validBaseline({ format: 2 }) // throws: Expected `format` of the baseline to be 1, got 2. Do ...
 */
export function validBaseline(value: unknown, where?: string): Baseline {
  const fault = { code: "bad-baseline", owner: "the baseline", where };
  const please = "give what `--update-baseline` writes";
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw expectation({ ...fault, member: "", toBe: "an object", got: value, please });
  }
  const format: unknown = "format" in value ? value.format : undefined;
  if (format !== 1) {
    const newer = format === undefined ? please : "use the version of gatecrash that wrote it";
    throw expectation({ ...fault, code: "unknown-format", member: "format", toBe: "1", got: format, please: newer });
  }
  const parsed = baselineSchema.safeParse(value);
  if (!parsed.success) throw plainSentence(parsed.error, value, { ...fault, please: "correct it" });
  const { known } = parsed.data;
  const rules = properties.map(({ id }) => id);
  for (const [index, entry] of known.entries()) {
    if (!rules.includes(entry.rule)) {
      const near = nearestName(entry.rule, rules);
      const correct =
        near === undefined ? "take the entry out" : `write ${describedValue(near)}, or take the entry out`;
      const member = `known[${index}].rule`;
      throw expectation({ ...fault, member, toBe: "the id of a rule", got: entry.rule, please: correct });
    }
    const first = known.findIndex((other) => isSame(other, entry));
    if (first === index) continue;
    const gotWords = `the harness, rule and cause of \`known[${first}]\``;
    const twice = { member: `known[${index}]`, toBe: "an entry of its own", got: entry, gotWords };
    throw expectation({ ...fault, ...twice, please: "take one of the two out" });
  }
  return parsed.data;
}

export function isSame(left: BaselineEntry, right: BaselineEntry): boolean {
  return left.harness === right.harness && left.rule === right.rule && left.cause === right.cause;
}
