import type { ToolSpec } from "../world/tool.ts";
import type { World } from "../world/world.ts";
import { plain } from "./plain.ts";

/** The nested values of a tool: shared by the runs of one world, so that a harness can keep what it compiled from a schema. */
type Nested = "inputSchema" | "permission" | "offered";

interface PreparedTool {
  readonly spec: ToolSpec;
  given: ToolSpec;
}

/**
 * The tools of a world as they are handed out to one harness: copies, so that a harness which edits a schema in place (making it
 * strict, say) edits its own world and not the script's. A copy that was edited is not handed out again.
 */
export class PreparedWorlds {
  readonly #prepared = new WeakMap<World, readonly PreparedTool[]>();

  toolsOf(world: World): readonly ToolSpec[] {
    let prepared = this.#prepared.get(world);
    if (prepared === undefined) {
      prepared = world.tools.map((spec) => ({ spec, given: copyOf(spec) }));
      this.#prepared.set(world, prepared);
    }
    return prepared.map((tool) => {
      if (!isUntouched(tool)) tool.given = copyOf(tool.spec);
      return tool.given;
    });
  }
}

function copyOf(spec: ToolSpec): ToolSpec {
  return plain(spec) as unknown as ToolSpec;
}

function isUntouched({ spec, given }: PreparedTool): boolean {
  const nested: readonly Nested[] = ["inputSchema", "permission", "offered"];
  return nested.every((key) => typeof spec[key] === "string" || isSame(spec[key], given[key]));
}

function isSame(left: unknown, right: unknown): boolean {
  const pending: unknown[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
    }
  }
  return true;
}
