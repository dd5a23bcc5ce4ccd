import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describedValue } from "../contract/described-value.ts";
import { UsageError } from "../errors.ts";

/** The usage error for a harness file that can't be loaded: where it does not parse, what it misses, what it throws. */
export function loadFault(error: unknown, file: string): UsageError {
  const fault = readableParts(error);
  const message = oneLine(fault?.message ?? describedValue(error));
  if (fault?.name === "UsageError") return new UsageError(String(fault.code), message, { file });
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined || fault?.code === "ERR_MODULE_NOT_FOUND") {
    const name = missing === undefined ? message : shortPath(missing);
    const please =
      missing !== undefined && /^(@[\w.-]+\/)?[\w.-]+$/.test(missing)
        ? `run \`npm install --save-dev ${missing}\``
        : "correct the import";
    return new UsageError(
      "import-not-found",
      `Expected every import of \`${file}\` to be found, got none for \`${name}\`. Do ${please}.`,
      { file },
    );
  }
  if (/does not provide an export named/.test(message)) {
    return new UsageError(
      "no-such-import",
      `Expected every import of \`${file}\` to exist, got: ${message}. Do correct the import.`,
      { file },
    );
  }
  const parse = parseFault(fault, file);
  if (parse !== undefined) {
    const please = parse.message.startsWith("Top-level await")
      ? "name the file `.mts`, or set `type` to `module` in its package.json"
      : "correct the file";
    return new UsageError(
      "does-not-parse",
      `Expected \`${file}\` to parse, got ${parse.at}: ${parse.message}. Do ${please}.`,
      { file },
    );
  }
  const name = typeof fault?.name === "string" ? `${fault.name}: ` : "";
  const at = userFrame(fault?.stack);
  return new UsageError(
    "throws-while-loading",
    `Expected \`${file}\` to load without an error, got ${name}${message}${at === undefined ? "" : ` (${at})`}. Do make what runs on import safe to run.`,
    { file },
  );
}

interface Parts {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: string | undefined;
  readonly stack?: unknown;
}

/** What a module throws may itself throw when it is read. */
function readableParts(error: unknown): Parts | undefined {
  try {
    const { name, code, message, stack } = (error ?? {}) as { readonly [Name in keyof Parts]: unknown };
    return { name, code, message: message === undefined || message === null ? undefined : String(message), stack };
  } catch {
    return undefined;
  }
}

interface ParseFault {
  readonly at: string;
  readonly message: string;
}

/** A compiler says where in its message, Node above the stack, and of ES modules only to `node --check`. */
function parseFault(fault: Parts | undefined, file: string): ParseFault | undefined {
  const compiled = /^(.+?):(\d+):(\d+): ERROR: (.+)$/m.exec(String(fault?.message ?? ""));
  if (compiled !== null) return { at: `${shortPath(compiled[1]!)}:${compiled[2]}`, message: clean(compiled[4]!) };
  if (fault?.name !== "SyntaxError") return undefined;
  const stack = String(fault.stack ?? "");
  const above = atTop(stack);
  if (above !== undefined) return { at: above, message: clean(String(fault.message)) };
  if (userFrame(stack) !== undefined) return undefined;
  const checked = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  const at = checked.status === 0 ? undefined : atTop(checked.stderr ?? "");
  return { at: at ?? file, message: clean(String(fault.message)) };
}

function atTop(text: string): string | undefined {
  const match = /^(file:.+|\/.+|[A-Za-z]:\\.+):(\d+)\r?\n/.exec(text);
  return match === null ? undefined : `${shortPath(match[1]!)}:${match[2]}`;
}

/** The first place on a stack that is the user's own code. */
function userFrame(stack: unknown): string | undefined {
  for (const line of String(stack ?? "").split("\n")) {
    const place = /^\s+at (?:.*\()?((?:file:|\/|[A-Za-z]:\\)[^()]*?):(\d+):\d+\)?$/.exec(line);
    if (place === null || place[1]!.includes("node_modules")) continue;
    const path = shortPath(place[1]!);
    return path.startsWith("..") || /(^|\/)cli\/load-harness\.[jt]s$/.test(path) ? undefined : `${path}:${place[2]}`;
  }
  return undefined;
}

function shortPath(path: string): string {
  const bare = path.replace(/[?#].*$/, "");
  const local = bare.startsWith("file:") ? fileURLToPath(bare) : bare;
  return /^(\/|[A-Za-z]:\\)/.test(local) ? relative(process.cwd(), local) : local;
}

function oneLine(text: string): string {
  return clean(text.split("\n")[0]!);
}

function clean(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
    .trim()
    .replace(/\.$/, "")
    .slice(0, 300);
}
