import { describe, expect, it } from "vitest";
import type { Finding } from "../contract/finding.ts";
import { renderTest } from "./render-test.ts";
import { replayLine } from "./replay-command.ts";

const finding = {
  cause: "answered-as-success",
  savedAs: "rule.cause.json",
  script: { format: 1, world: { tools: [], skills: [], maxSteps: 1 }, turns: [], afterTurns: "end" },
} as unknown as Finding;
const words = ["node", "my server.js"];

describe("replayLine", () => {
  it("names the server in the place of a file", () => {
    const server = { words, validCalls: false };
    expect(replayLine(finding, { folder: ".gatecrash", server })).toBe(
      "npx gatecrash mcp --replay .gatecrash/rule.cause.json -- node 'my server.js'",
    );
    const chosen = { words, validCalls: true, tools: ["a b", "c"] };
    expect(replayLine(finding, { scriptFile: "one.json", server: chosen })).toBe(
      "npx gatecrash mcp --replay one.json --valid-calls --tools 'a b,c' -- node 'my server.js'",
    );
  });

  it("is missing where the script was saved nowhere", () => {
    expect(replayLine(finding, { server: { words, validCalls: false } })).toBeUndefined();
  });
});

describe("renderTest", () => {
  it("starts the server that was played", () => {
    const server = { words, validCalls: true, tools: ["add"] };
    const text = renderTest("undeclared-names-reach-nothing", finding, { server });
    expect(text).toContain(
      'import { mcpCommandHarness } from "gatecrash/mcp";\n\nconst harness = await mcpCommandHarness(',
    );
    expect(text).toContain('({ command: "node", args: ["my server.js"], tools: ["add"], validCalls: true });');
  });
});
