import { everyRunOf, proposalsOf, type Script } from "../contract/script.ts";
import { turnsAllowed } from "../world/budget.ts";
import { sameJson } from "../world/json.ts";
import type { World } from "../world/world.ts";

/** Only for generated worlds: a user's own world stays as it is. */
export function* withSmallerWorld(script: Script): Iterable<Script> {
  const { world } = script;
  const named = new Set(
    everyRunOf(script)
      .flatMap(proposalsOf)
      .map((proposal) => (proposal.kind === "tool-call" ? proposal.name : undefined)),
  );
  const unnamed = world.tools.filter((tool) => !named.has(tool.name));
  if (unnamed.length > 1)
    yield inWorld(script, { ...world, tools: world.tools.filter((tool) => named.has(tool.name)) });
  for (const tool of unnamed) yield inWorld(script, { ...world, tools: world.tools.filter((other) => other !== tool) });
  for (const tool of world.tools.filter(({ offered }) => typeof offered === "object")) {
    // A load that only opens a tool can go once the tool is always offered.
    const opened = { ...tool, offered: "always" } as const;
    yield inWorld(script, { ...world, tools: world.tools.map((other) => (other === tool ? opened : other)) });
  }
  const used = new Set(
    world.tools.flatMap((tool) => (typeof tool.offered === "object" ? [tool.offered.afterSkill] : [])),
  );
  for (const skill of world.skills.filter((name) => !used.has(name))) {
    yield inWorld(script, { ...world, skills: world.skills.filter((other) => other !== skill) });
  }
  const allowed = turnsAllowed(world.maxSteps);
  for (let maxSteps = 1; maxSteps < allowed; maxSteps += 1) yield inWorld(script, { ...world, maxSteps });
}

/** The runs before and beside it go with it where they are played in the same world. */
function inWorld(script: Script, world: World): Script {
  const declared = new Set(world.tools.map((tool) => tool.name));
  const handlers = Object.fromEntries(Object.entries(script.handlers).filter(([tool]) => declared.has(tool)));
  const moved = (run: Script): Script => (sameJson(run.world, script.world) ? inWorld(run, world) : run);
  return {
    ...script,
    world,
    handlers,
    ...(script.before && { before: script.before.map(moved) }),
    ...(script.beside && { beside: script.beside.map(moved) }),
  };
}
