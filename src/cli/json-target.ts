import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { UsageError } from "../errors.ts";

/** Refuses a file that can't be written, before a long campaign and not after it. "-" is the standard output. */
export function checkWritable(path: string): void {
  if (path === "-") return;
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, "a"));
    if (isNew) rmSync(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

export function writeJson(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): UsageError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown";
  const why =
    { ENOENT: "its folder does not exist", EISDIR: "it is a folder", EACCES: "it may not be written" }[code] ?? code;
  return new UsageError(
    "unwritable-json",
    `Expected \`--json\` to name a file that can be written, got \`${path}\` (${why}). Do name another one.`,
    { path },
  );
}
