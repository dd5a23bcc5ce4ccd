import type { Script } from "../contract/script.ts";
import type { Policy } from "../world/policy.ts";
import type { Offered, ToolSpec } from "../world/tool.ts";
import { jsonWords } from "./proposal-words.ts";
import { counted, listed, quoted } from "./visible-text.ts";

/**
 * The world that a script is played in: budget, skills and tools. In a large world only the tools stand that a proposal,
 * a handler or the guilty event names; the others are counted.
 */
export function worldLines(script: Script, alsoNamed: readonly string[] = []): readonly string[] {
  const { tools, skills, maxSteps } = script.world;
  const named = new Set([...alsoNamed, ...Object.keys(script.handlers), ...namesIn(script)]);
  const shown = tools.length <= 6 ? tools : tools.filter((tool) => named.has(tool.name)).slice(0, 12);
  const others = tools.length - shown.length;
  const budget = `at most ${typeof maxSteps === "number" ? counted(maxSteps, "step") : `${maxSteps} steps`}`;
  return [
    skills.length === 0
      ? budget
      : `${budget}, ${skills.length === 1 ? "skill" : "skills"} ${listed(skills.map((skill) => quoted(skill)))}`,
    ...shown.map(toolWords),
    ...(others > 0 ? [`and ${counted(others, shown.length === 0 ? "tool" : "other tool")}`] : []),
  ];
}

function namesIn(script: Script): readonly string[] {
  return script.turns.flatMap((turn) =>
    "kind" in turn ? [] : turn.proposals.flatMap((proposal) => (proposal.kind === "tool-call" ? [proposal.name] : [])),
  );
}

function toolWords(tool: ToolSpec): string {
  return `tool ${quoted(tool.name)}: ${policyWords(tool.permission)}, ${offeredWords(tool.offered)}`;
}

function policyWords(policy: Policy): string {
  if (typeof policy === "string") return { allow: "allowed", ask: "asks first", deny: "denied" }[policy];
  const rules = policy.rules.map((rule) => `${rule.then} where ${jsonWords(rule.when)}`);
  return [...rules, `otherwise ${policy.otherwise}`].join("; ");
}

function offeredWords(offered: Offered): string {
  if (offered === "always") return "offered";
  return offered === "never" ? "not offered" : `offered after the skill ${quoted(offered.afterSkill)}`;
}
