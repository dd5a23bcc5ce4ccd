import type { CheckOptions } from "../contract/check-options.ts";
import { describedValue } from "../contract/described-value.ts";
import { expectation } from "../contract/expectation.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { dayMs } from "../contract/valid-members.ts";
import { UsageError } from "../errors.ts";

type Numbers = "runs" | "scripts" | "seed" | "timeLimitMs" | "runTimeoutMs";

type UsableOptions = CheckOptions & Required<Pick<CheckOptions, Exclude<Numbers, "scripts"> | "should">>;

const numbers: Record<Numbers, { readonly least: number; readonly most: number; readonly unit: string }> = {
  runs: { least: 0, most: 100_000_000, unit: "scripts" },
  scripts: { least: 1, most: 100_000_000, unit: "scripts" },
  seed: { least: -0x80000000, most: 0x7fffffff, unit: "a 32-bit number" },
  timeLimitMs: { least: 1, most: 7 * dayMs, unit: "milliseconds, at most a week" },
  runTimeoutMs: { least: 1, most: dayMs, unit: "milliseconds, at most a day" },
};

const known = [
  ...Object.keys(numbers),
  "only",
  "except",
  "should",
  "saved",
  "baseline",
  "updateBaseline",
  "onProgress",
];

/** The options with their defaults; one that can't be used is a usage error. */
export function validOptions(options: CheckOptions): UsableOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new UsageError(
      "bad-options",
      `Expected the options to be an object, got ${describedValue(options)}. Do give an object, or leave them out.`,
    );
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const please = near === undefined ? `use one of ${known.join(", ")}` : `write \`${near}\`, if you mean that`;
    throw new UsageError("unknown-option", `Expected a known option, got \`${name}\`. Do ${please}.`, { name });
  }
  for (const name of ["only", "except"] as const) {
    const ids: unknown = options[name];
    const odd = Array.isArray(ids) ? ids.findIndex((id) => typeof id !== "string") : undefined;
    if (ids === undefined || odd === -1) continue;
    const please = 'give an array, as in `["denied-tools-never-run"]`';
    const fault = { code: "bad-option", owner: "the options", please };
    if (!Array.isArray(ids) || odd === undefined)
      throw expectation({ ...fault, member: name, toBe: "a list of rule ids", got: ids });
    throw expectation({ ...fault, member: `${name}[${odd}]`, toBe: "the id of a rule", got: ids[odd] });
  }
  const saved: unknown = options.saved;
  const isPath = typeof saved === "string" && saved !== "" && !saved.includes("\0");
  if (saved !== undefined && !isPath && !Array.isArray(saved)) {
    const fault = { code: "bad-option", member: "saved", owner: "the options", toBe: "a folder or a list of scripts" };
    throw expectation({ ...fault, got: saved, please: 'give a path, as in `".gatecrash"`, or the scripts themselves' });
  }
  validBaselineOptions(options);
  const onProgress: unknown = options.onProgress;
  if (onProgress !== undefined && typeof onProgress !== "function") {
    const fault = { code: "bad-option", member: "onProgress", owner: "the options", toBe: "a function" };
    throw expectation({ ...fault, got: onProgress, please: "give a function, or leave it out" });
  }
  for (const [name, { least, most, unit }] of Object.entries(numbers)) {
    const value = options[name as Numbers];
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue;
    throw new UsageError(
      "bad-number",
      `Expected \`${name}\` to be a whole number from ${least} to ${most} (${unit}), got ${describedValue(value)}. Do give such a number, or leave it out.`,
      { name, value },
    );
  }
  if (options.should !== undefined && options.should !== "report" && options.should !== "fail") {
    throw new UsageError(
      "bad-option",
      `Expected \`should\` to be "report" or "fail", got ${describedValue(options.should)}. Do choose one of them.`,
    );
  }
  return {
    ...options,
    runs: options.runs ?? 2_000,
    seed: options.seed ?? Math.floor(Math.random() * 0x7fffffff),
    timeLimitMs: options.timeLimitMs ?? 120_000,
    runTimeoutMs: options.runTimeoutMs ?? 2_000,
    should: options.should ?? "report",
  };
}

function validBaselineOptions(options: CheckOptions): void {
  const { baseline, updateBaseline }: { readonly [Name in keyof CheckOptions]?: unknown } = options;
  const fault = { code: "bad-option", owner: "the options", please: 'give a path, as in `"known-failures.json"`' };
  const isPath = typeof baseline === "string" && baseline !== "" && !baseline.includes("\0");
  if (baseline !== undefined && !isPath && (typeof baseline !== "object" || baseline === null)) {
    throw expectation({ ...fault, member: "baseline", toBe: "a file or what stands in one", got: baseline });
  }
  if (updateBaseline === undefined || typeof updateBaseline === "boolean") {
    if (updateBaseline !== true || isPath) return;
    throw expectation({ ...fault, member: "baseline", toBe: "the file to be updated", got: baseline });
  }
  const please = "correct it, or leave it out";
  throw expectation({ ...fault, member: "updateBaseline", toBe: "true or false", got: updateBaseline, please });
}
