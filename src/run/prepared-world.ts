import type { ToolSpec } from "../world/tool.ts";
import type { World } from "../world/world.ts";
import { plain } from "./plain.ts";

interface PreparedTool {
  readonly spec: ToolSpec;
  given: ToolSpec;
  /** What `given` is made of, to be compared before each run. */
  parts: readonly Part[];
}

/** One object inside a tool, with what it held when it was made. */
interface Part {
  readonly object: { readonly [key: string]: unknown };
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * The tools of a world as they are handed out to one harness: copies, so that a harness which edits a schema in place (making it
 * strict, say) edits its own world and not the script's. A copy that was edited is not handed out again. What is nested in
 * a tool is shared by the runs of one world, so that a harness can keep what it compiled from a schema.
 */
export class PreparedWorlds {
  readonly #prepared = new WeakMap<World, readonly PreparedTool[]>();

  toolsOf(world: World): readonly ToolSpec[] {
    let prepared = this.#prepared.get(world);
    if (prepared === undefined) {
      prepared = world.tools.map(prepare);
      this.#prepared.set(world, prepared);
    }
    return prepared.map((tool) => {
      if (!tool.parts.every(isUntouched)) Object.assign(tool, prepare(tool.spec));
      return tool.given;
    });
  }
}

function prepare(spec: ToolSpec): PreparedTool {
  const given = plain(spec) as unknown as ToolSpec;
  return { spec, given, parts: partsOf(given) };
}

function partsOf({ inputSchema, permission, offered }: ToolSpec): readonly Part[] {
  const parts: Part[] = [];
  const pending: unknown[] = [inputSchema, permission, offered];
  while (pending.length > 0) {
    const object = pending.pop();
    if (typeof object !== "object" || object === null) continue;
    const keys = Object.keys(object);
    const values = keys.map((key) => (object as Part["object"])[key]);
    parts.push({ object: object as Part["object"], keys, values });
    pending.push(...values);
  }
  return parts;
}

/** Before every run, so nothing is made anew here; the parts of a part are compared by themselves. */
function isUntouched({ object, keys, values }: Part): boolean {
  for (let index = 0; index < keys.length; index += 1) {
    if (object[keys[index] as string] !== values[index]) return false;
  }
  let count = 0;
  for (const _key in object) count += 1;
  return count === keys.length;
}
