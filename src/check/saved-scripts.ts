import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../contract/script.ts";
import { validScript } from "../contract/valid-script.ts";
import { UsageError } from "../errors.ts";
import { parseJson } from "../world/json.ts";

/** A script that failed before. `rule` is what it broke, where its file's name says so: `<rule>.<cause>.json`. */
export interface SavedScript {
  readonly name: string;
  readonly script: Script;
  readonly rule?: string;
}

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
      `Expected \`saved\` to be a folder, got the file \`${saved}\`. Do name a folder.`,
    );
  }
  const names = readdirSync(saved).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => ({ name, script: readScriptFile(join(saved, name)), rule: name.split(".")[0]! }));
}

/** Reads one script file; anything but a script is a usage error that names the file. */
export function readScriptFile(path: string): Script {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UsageError(
      "no-such-script",
      `Expected a script file, got \`${path}\`, which can't be read. Do check the path.`,
      { path },
    );
  }
  const value = parseJson(text);
  if (value === undefined) {
    throw new UsageError(
      "script-not-json",
      `Expected \`${path}\` to hold a script as JSON, got text that does not parse. Do restore or delete the file.`,
      { path },
    );
  }
  return validScript(value, path);
}

/** Saves a failing script as `<rule>.<cause>.json`. Says why where it can't. */
export function saveScript(folder: string, rule: string, cause: string, script: Script): string | undefined {
  const path = join(folder, `${rule}.${cause}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, `${JSON.stringify(script)}\n`);
    return undefined;
  } catch (error) {
    return `The failing script could not be saved as \`${path}\`: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
