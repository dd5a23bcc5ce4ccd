import { UsageError } from "../errors.ts";
import { describedValue } from "./described-value.ts";
import { expectation } from "./expectation.ts";
import { plainSentence } from "./plain-sentence.ts";
import { type Script, scriptSchema } from "./script.ts";
import type { Owner } from "./valid-members.ts";
import { validTools } from "./valid-world.ts";

/**
 * A script that came from outside, where it can be played; a usage error in plain words where it can't.
 *
 * @param where the file it comes from, for the error.
 * @example
 * validScript({ format: 2 }) // throws: Expected `format` of the script to be 1, got 2. Do ...
 */
export function validScript(value: unknown, where?: string): Script {
  const owner: Owner = { owner: "the script", where };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const please = "give a script that was saved in `.gatecrash/`";
    throw expectation({ code: "bad-script", member: "", ...owner, toBe: "an object", got: value, please });
  }
  const format: unknown = "format" in value ? value.format : undefined;
  if (format !== 1) {
    const please =
      format === undefined
        ? "give a script that was saved in `.gatecrash/`"
        : "use the version of gatecrash that wrote it";
    throw expectation({ code: "unknown-format", member: "format", ...owner, toBe: "1", got: format, please });
  }
  try {
    const parsed = scriptSchema.safeParse(value);
    if (!parsed.success) {
      throw plainSentence(parsed.error, value, {
        code: "bad-script",
        ...owner,
        please: "correct it, or let the check write it again",
      });
    }
    for (const script of withOthers(value as Script)) validTools(script.world, owner);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const got = describedValue(value);
    throw new UsageError(
      "bad-script",
      `Expected \`before\` and \`beside\` of the script to be a few levels deep, got ${got} with too many. Do flatten them.`,
    );
  }
  // Not what the schema made of it: the copy would lose keys named `__proto__`.
  return value as Script;
}

function withOthers(script: Script): readonly Script[] {
  return [script, ...[...(script.before ?? []), ...(script.beside ?? [])].flatMap(withOthers)];
}
