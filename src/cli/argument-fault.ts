import { existsSync } from "node:fs";
import type { CommanderError } from "commander";
import { describedValue } from "../contract/described-value.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { UsageError } from "../errors.ts";

/** The usage error for a command line that the argument parser refused. Option parsers put what they expect in their message. */
export function usageOf(error: CommanderError, words: readonly string[]): UsageError {
  const [first = "", second = ""] = [...error.message.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? "");
  const say = (expected: string, got: string, please: string) =>
    new UsageError(error.code, `Expected ${expected}, got ${got}. Do ${please}.`, { words });
  const replay = "gatecrash replay SCRIPT.json --harness FILE";
  const help = "run `gatecrash --help` to see what there is";
  switch (error.code) {
    case "commander.unknownOption": {
      const near = /\(Did you mean (\S+?)\?\)/.exec(error.message)?.[1];
      return say("a known option", `\`${first}\``, near === undefined ? help : `use \`${near}\`, if you mean that`);
    }
    case "commander.unknownCommand": {
      const near = nearestName(first, ["check", "replay", "mcp", "list", "demo"]);
      if (existsSync(first)) return say("a command", describedValue(first), `write \`gatecrash check ${first}\``);
      return say("a command", describedValue(first), near === undefined ? help : `use \`${near}\`, if you mean that`);
    }
    case "commander.invalidArgument": {
      const option = first.split(/[ ,]/).find((word) => word.startsWith("--")) ?? first;
      const expected = error.message.replace(/^.*? is invalid\. /s, "");
      return say(`\`${option}\` to be ${expected}`, describedValue(second), "correct it, or leave it out");
    }
    case "commander.optionMissingArgument":
      return say(`a value after \`${first.split(" ")[0]}\``, "none", "add it");
    case "commander.missingMandatoryOptionValue":
      if (words.length === 1) return say("a script file and a harness", "neither", `write \`${replay}\``);
      return say("the harness to play against", "no `--harness`", "add `--harness FILE`");
    case "commander.missingArgument":
      return say("a script file", "none", `write \`${replay}\``);
    case "commander.excessArguments": {
      const [most, given = "more"] = error.message.match(/\d+/g) ?? [];
      const please = most === "0" ? "leave them out" : "call it once for each; a name with spaces needs quotes";
      return say(`\`gatecrash ${first}\` to be given ${most === "0" ? "no file" : "one file"}`, given, please);
    }
    default:
      return say("a usable command line", describedValue(words.join(" ")), help);
  }
}
