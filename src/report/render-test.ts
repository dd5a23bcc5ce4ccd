import type { Finding } from "../contract/finding.ts";
import type { ReplayCommand } from "./replay-command.ts";
import { sourceLiteral } from "./source-literal.ts";
import { stringLiteral } from "./visible-text.ts";

/**
 * A Vitest test that holds a finding's script, ready to paste: it fails until the harness keeps the rule. Nothing in it is
 * shortened, and whatever the script says stays inside its literals.
 */
export function renderTest(rule: string, finding: Finding, command: ReplayCommand = {}): string {
  const script = sourceLiteral(finding.script, "  ");
  return [
    `import { assertHolds, replayScript } from "gatecrash";`,
    `import { test } from "vitest";`,
    `import ${importedAs(command.exportName)} from ${stringLiteral(moduleOf(command.harnessFile))};`,
    "",
    `test(${stringLiteral(`${rule}: ${finding.cause}`)}, async () => {`,
    `  assertHolds(await replayScript(harness, ${script}, { only: [${stringLiteral(rule)}] }));`,
    "});",
  ].join("\n");
}

function importedAs(exportName = "harness"): string {
  if (exportName === "default") return "harness";
  if (exportName === "harness") return "{ harness }";
  return `{ ${/^[A-Za-z_$][\w$]*$/.test(exportName) ? exportName : stringLiteral(exportName)} as harness }`;
}

/** The specifier that both the compiler and the test runner resolve: the name of the compiled file. */
function moduleOf(file = "./agent.harness.js"): string {
  const path = file.replaceAll("\\", "/").replace(/\.([cm]?)ts$/, ".$1js");
  return /^(\.{0,2}\/|[A-Za-z]:\/)/.test(path) ? path : `./${path}`;
}
