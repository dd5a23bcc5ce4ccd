import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../contract/script.ts";
import { validScript } from "../contract/valid-script.ts";
import { UsageError } from "../errors.ts";
import { parseJson } from "../world/json.ts";

/**
 * A script that failed before. `rule` is what it broke, where its file's name says so: `<rule>.<cause>.json`. `owner`: the
 * harness that it was saved for, where that is known.
 */
export interface SavedScript {
  readonly name: string;
  readonly script: Script;
  readonly rule?: string;
  readonly owner?: string;
}

/** Which harness each file was saved for: a script holds nothing about harnesses, and several may share a folder. */
const ownersFile = ".owners";

/** Reads the saved scripts of a folder (none where there is no folder yet), or takes scripts as they are. */
export function readSavedScripts(saved: string | readonly Script[] | undefined): readonly SavedScript[] {
  if (saved === undefined) return [];
  if (typeof saved !== "string") {
    return saved.map((script, index) => ({ name: `saved[${index}]`, script: validScript(script, `saved[${index}]`) }));
  }
  if (!existsSync(saved)) return [];
  if (!statSync(saved).isDirectory()) {
    throw new UsageError(
      "saved-not-a-folder",
      `Expected \`${saved}\` to be a folder, in which failing scripts are saved, got a file. Do move that file away.`,
    );
  }
  const names = readdirSync(saved).filter((name) => name.endsWith(".json"));
  const owners = ownersIn(saved);
  return names.sort().map((name) => {
    const owner = owners.get(name);
    const script = readScriptFile(join(saved, name));
    return { name, script, rule: name.split(".")[0]!, ...(owner === undefined ? {} : { owner }) };
  });
}

function ownersIn(folder: string): Map<string, string> {
  try {
    const entries = Object.entries(parseJson(readFileSync(join(folder, ownersFile), "utf8")) ?? {});
    return new Map(entries.map(([name, owner]) => [name, String(owner)]));
  } catch {
    return new Map();
  }
}

/** Reads one script file; anything but a script is a usage error that names the file. */
export function readScriptFile(path: string): Script {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UsageError(
      "no-such-script",
      `Expected a script file, got ${path === "" ? '""' : `\`${path}\``}, which can't be read. Do check the path.`,
      { path },
    );
  }
  // Editors and shells of some systems put a byte order mark in front.
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (value === undefined) {
    throw new UsageError(
      "script-not-json",
      `Expected \`${path}\` to hold a script as JSON, got text that does not parse. Do restore or delete the file.`,
      { path },
    );
  }
  return validScript(value, path);
}

/**
 * Saves a failing script as `<rule>.<cause>.json`, or under the harness's name too where that file is another harness's.
 * Says why where it can't.
 */
export function saveScript(
  folder: string,
  harness: string,
  id: string,
  script: Script,
): { readonly name: string; readonly failed?: string } {
  const owners = ownersIn(folder);
  const owner = owners.get(`${id}.json`) ?? harness;
  const name = owner === harness ? `${id}.json` : `${id}.${slugOf(harness)}.json`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), `${JSON.stringify(script)}\n`);
    const known = Object.fromEntries([...owners.set(name, harness)].sort());
    writeFileSync(join(folder, ownersFile), `${JSON.stringify(known, null, 2)}\n`);
    return { name };
  } catch (error) {
    const failed = `The failing script could not be saved as \`${join(folder, name)}\`: ${error instanceof Error ? error.message : String(error)}.`;
    return { name, failed };
  }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60);
}
