import { statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { require as tsRequire } from "tsx/cjs/api";
import { tsImport } from "tsx/esm/api";
import type { Harness } from "../contract/harness.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { UsageError } from "../errors.ts";
import type { ReplayCommand } from "../report/replay-command.ts";
import { loadFault } from "./load-fault.ts";
import { isCommonJs } from "./module-kind.ts";
import { pickHarness } from "./pick-harness.ts";

export interface LoadedHarness {
  readonly harness: Harness;
  readonly command: ReplayCommand;
}

/** Loads a TypeScript or JavaScript file without a build step, and takes the harness out of it. */
export async function loadHarness(file: string, picked?: string): Promise<LoadedHarness> {
  refuseUnloadable(file);
  let module: { readonly [name: string]: unknown };
  try {
    const path = resolve(file);
    // Imported, a CommonJS file would run from a data URL, and its stacks would name no place in it.
    if (isCommonJs(path)) module = exportsOf(tsRequire(path, import.meta.url));
    else module = await tsImport(pathToFileURL(path).href, import.meta.url);
  } catch (error) {
    throw loadFault(error, file);
  }
  const { value, exportName } = pickHarness(module, file, picked);
  const harness = validHarness(value, file);
  return { harness, command: { harnessFile: file, exportName, picked: picked !== undefined } };
}

const extensions = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".tsx", ".jsx"];

function refuseUnloadable(file: string): void {
  if (file === "") throw new UsageError("no-such-file", 'Expected a harness file, got "". Do name the file.');
  const stats = statSync(resolve(file), { throwIfNoEntry: false });
  const expected = "Expected a harness file";
  if (stats === undefined) {
    throw new UsageError(
      "no-such-file",
      `${expected}, got \`${file}\`, which does not exist. Do check the path; it counts from the current folder.`,
      { file },
    );
  }
  if (stats.isDirectory()) {
    throw new UsageError("not-a-file", `${expected}, got the folder \`${file}\`. Do name a file in it.`, { file });
  }
  if (extensions.includes(extname(file))) return;
  throw new UsageError(
    "unknown-extension",
    `${expected} that ends in ${extensions.slice(0, 6).join(", ")}, got \`${file}\`. Do name a TypeScript or JavaScript file.`,
    { file },
  );
}

/** What a CommonJS file exports may be anything; what is no object stands as the default export. */
function exportsOf(value: unknown): { readonly [name: string]: unknown } {
  const isModule = typeof value === "object" && value !== null && "__esModule" in value;
  return isModule ? { ...value } : { default: value };
}
