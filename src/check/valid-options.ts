import type { CheckOptions } from "../contract/check-options.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { UsageError } from "../errors.ts";

type Numbers = "runs" | "seed" | "timeLimitMs" | "runTimeoutMs";

type UsableOptions = CheckOptions & Required<Pick<CheckOptions, Numbers | "should">>;

const numbers: Record<Numbers, { readonly least: number; readonly most: number; readonly unit: string }> = {
  runs: { least: 0, most: 100_000_000, unit: "scripts" },
  seed: { least: -0x80000000, most: 0x7fffffff, unit: "a 32-bit number" },
  timeLimitMs: { least: 1, most: 0x7fffffff, unit: "milliseconds" },
  runTimeoutMs: { least: 1, most: 0x7fffffff, unit: "milliseconds" },
};

const known = [...Object.keys(numbers), "only", "except", "should", "saved", "onProgress"];

/** The options with their defaults; one that can't be used is a usage error. */
export function validOptions(options: CheckOptions): UsableOptions {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    throw new UsageError(
      "unknown-option",
      `Expected an option of the check, got \`${name}\`. Do use one of ${known.join(", ")}${near === undefined ? "" : `; do you mean \`${near}\`?`}.`,
      { name },
    );
  }
  for (const [name, { least, most, unit }] of Object.entries(numbers)) {
    const value = options[name as Numbers];
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue;
    throw new UsageError(
      "bad-number",
      `Expected \`${name}\` to be a whole number from ${least} to ${most} (${unit}), got \`${String(value)}\`. Do give such a number, or leave it out.`,
      { name, value },
    );
  }
  if (options.should !== undefined && options.should !== "report" && options.should !== "fail") {
    throw new UsageError(
      "bad-option",
      `Expected \`should\` to be "report" or "fail", got \`${String(options.should)}\`. Do choose one of them.`,
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
