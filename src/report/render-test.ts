import type { Finding } from "../contract/finding.ts";
import type { ReplayCommand, ServerWords } from "./replay-command.ts";
import { sourceLiteral } from "./source-literal.ts";
import { stringLiteral } from "./visible-text.ts";

/** Vitest gives a test five seconds, and a run that hangs takes its time to be sure of. */
const patience = "60_000";

/**
 * A Vitest test that holds a finding's script, ready to paste: it fails until the harness keeps the rule. Nothing in it is
 * shortened, and whatever the script says stays inside its literals.
 */
export function renderTest(rule: string, finding: Finding, command: ReplayCommand = {}): string {
  const script = sourceLiteral(finding.script, "  ");
  return [
    `import { assertHolds, replayScript } from "gatecrash";`,
    `import { test } from "vitest";`,
    ...harnessImport(command),
    "",
    `test(${stringLiteral(`${rule}: ${finding.cause}`)}, async () => {`,
    `  assertHolds(await replayScript(harness, ${script}, { only: [${stringLiteral(rule)}] }));`,
    `}, ${patience});`,
  ].join("\n");
}

/** The test is to stand beside the harness's file; where that is not known, a file is named that the reader has to change. */
function harnessImport({ harnessFile, exportName, server }: ReplayCommand): readonly string[] {
  if (server !== undefined) return serverHarness(server);
  if (harnessFile === undefined) {
    return ["// Change this to the file that exports your harness.", 'import { harness } from "./your.harness.ts";'];
  }
  const file = harnessFile.slice(Math.max(harnessFile.lastIndexOf("/"), harnessFile.lastIndexOf("\\")) + 1);
  return [`import ${importedAs(exportName)} from ${stringLiteral(`./${file}`)};`];
}

function importedAs(exportName = "harness"): string {
  if (exportName === "default") return "harness";
  if (exportName === "harness") return "{ harness }";
  return `{ ${/^[A-Za-z_$][\w$]*$/.test(exportName) ? exportName : stringLiteral(exportName)} as harness }`;
}

function serverHarness({ words: [command = "", ...args], validCalls, tools }: ServerWords): readonly string[] {
  const list = (texts: readonly string[]) => `[${texts.map((text) => stringLiteral(text)).join(", ")}]`;
  const options = [
    `command: ${stringLiteral(command)}`,
    `args: ${list(args)}`,
    ...(tools ? [`tools: ${list(tools)}`] : []),
    ...(validCalls ? ["validCalls: true"] : []),
  ];
  return [
    'import { mcpCommandHarness } from "gatecrash/mcp";',
    "",
    `const harness = await mcpCommandHarness({ ${options.join(", ")} });`,
  ];
}
