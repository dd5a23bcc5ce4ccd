import type { TestRun, Tool } from "../contract/harness.ts";
import type { JsonSchema } from "../world/input-schema.ts";

/** The tool by which a model loads a skill: SDKs have no other word for it. */
export const skillLoader = {
  name: "load_skill",
  description: "Loads a skill: the tools that belong to it are offered from then on.",
  inputSchema: { type: "object", properties: { skill: { type: "string" } }, required: ["skill"] } as JsonSchema,
} as const;

/** Tool names that most SDKs and services take, apart from the loader's own. */
export const usualToolNames = /^(?!load_skill$)[a-zA-Z0-9_-]{1,64}$/;

/** Which skills were loaded in a run, and which tools that offers. */
export interface SkillRoom {
  /** The tools of the run as they were when it began. */
  readonly tools: readonly Tool[];
  isOffered(tool: Tool): boolean;
  /** @throws Error where there is no such skill. */
  load(skill: unknown): string;
}

export function skillRoom(run: TestRun): SkillRoom {
  const loaded = new Set<unknown>();
  return {
    tools: run.tools.map((tool) => ({ ...tool })),
    isOffered: ({ offered }) => (typeof offered === "object" ? loaded.has(offered.afterSkill) : offered === "always"),
    load(skill) {
      if (!run.skills.some((known) => known === skill)) throw new Error("There is no such skill.");
      loaded.add(skill);
      return "The skill is loaded.";
    },
  };
}
