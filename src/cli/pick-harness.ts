import { describedValue } from "../contract/described-value.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { UsageError } from "../errors.ts";

/** The export of a harness file that is its harness: the default one, the one named `harness`, or the only one that looks like it. */
export function pickHarness(
  module: { readonly [name: string]: unknown },
  file: string,
  picked?: string,
): { readonly value: unknown; readonly exportName: string } {
  const exports = exportsOf(module);
  const alike = [...exports].filter(([, value]) => looksLikeHarness(value));
  const names = alike.map(([name]) => name);
  if (picked !== undefined) {
    if (exports.has(picked)) return { value: exports.get(picked), exportName: picked };
    const near = nearestName(picked, names) ?? names[0];
    const please = near === undefined ? "export the harness" : `use \`--export ${near}\``;
    throw new UsageError(
      "no-such-export",
      `Expected \`${file}\` to export \`${picked}\`, got ${exportWords(exports)}. Do ${please}.`,
      { file, names },
    );
  }
  for (const name of ["default", "harness"]) {
    if (names.includes(name)) return { value: exports.get(name), exportName: name };
  }
  const [first, ...others] = alike.filter(
    ([, value], index) => alike.findIndex(([, other]) => other === value) === index,
  );
  if (first !== undefined && others.length === 0) return { value: first[1], exportName: first[0] };
  if (first !== undefined) {
    throw new UsageError(
      "several-harnesses",
      `Expected \`${file}\` to export one harness, got ${names.length}: ${names.join(", ")}. Do pick one with \`--export ${first[0]}\`.`,
      { file, names },
    );
  }
  throw new UsageError(
    "no-harness",
    `Expected \`${file}\` to export a harness (an object with \`name\`, \`claims\` and \`run\`), got ${exportWords(exports)}. Do export it as \`harness\`, or as the default export.`,
    { file },
  );
}

/** By name; what a CommonJS file exports stands in the default export too, and may stand there alone. */
function exportsOf(module: { readonly [name: string]: unknown }): Map<string, unknown> {
  const exports = new Map<string, unknown>();
  const isObject = typeof module.default === "object" && module.default !== null;
  if (isObject && !looksLikeHarness(module.default)) {
    for (const [name, value] of Object.entries(module.default as object)) exports.set(name, value);
  }
  for (const [name, value] of Object.entries(module)) {
    const isWrapped = name === "default" && exports.has("default");
    if (!isWrapped && name !== "__esModule" && name !== "module.exports") exports.set(name, value);
  }
  return exports;
}

function looksLikeHarness(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if ("__esModule" in value) return false;
  const has = ["name", "claims", "run"].filter((member) => member in value).length;
  return has >= 2 || "claims" in value;
}

function exportWords(exports: ReadonlyMap<string, unknown>): string {
  if (exports.size === 0) return "no export at all";
  return [...exports]
    .slice(0, 8)
    .map(([name, value]) => `\`${name}\` (${describedValue(value)})`)
    .join(", ");
}
