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
  const help = "run `gatecrash --help` to see what there is";
  switch (error.code) {
    case "commander.unknownOption": {
      const near = /\(Did you mean (\S+?)\?\)/.exec(error.message)?.[1];
      return say("a known option", `\`${first}\``, near === undefined ? help : `use \`${near}\`, if you mean that`);
    }
    case "commander.unknownCommand": {
      const near = nearestName(first, ["check", "replay", "list", "demo"]);
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
      return say("the harness to play against", "no `--harness`", "add `--harness FILE`");
    case "commander.missingArgument":
      return say("a script file", "none", "write `gatecrash replay SCRIPT.json --harness FILE`");
    case "commander.excessArguments":
      return say(
        "fewer words",
        describedValue(words.join(" ")),
        "remove what is too much; a name with spaces needs quotes",
      );
    default:
      return say("a usable command line", describedValue(words.join(" ")), help);
  }
}
