import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/world/json.ts";

/** The schemas that may apply to one value: several where unions leave it open. */
export interface Rules {
  readonly schemas: readonly JsonSchema[];
  /** What references within a schema are looked up in. */
  readonly root: JsonSchema | undefined;
}

export function rulesOf(schema: JsonSchema | undefined): Rules {
  return { schemas: schema === undefined ? [] : [schema], root: schema };
}

/** The schemas of one field; those for any other field where it has none of its own. */
export function rulesForKey({ schemas, root }: Rules, key: string): Rules {
  const named: JsonSchema[] = [];
  const others: JsonSchema[] = [];
  for (const branch of branchesOf(schemas, root)) {
    const properties = branch.properties;
    if (isJsonObject(properties) && Object.hasOwn(properties, key)) named.push(...asSchemas(properties[key]));
    others.push(...asSchemas(branch.additionalProperties));
  }
  return { schemas: named.length > 0 ? named : others, root };
}

export function rulesForItem({ schemas, root }: Rules, index: number): Rules {
  const items = branchesOf(schemas, root).flatMap((branch) => {
    const first = Array.isArray(branch.prefixItems) ? branch.prefixItems[index] : undefined;
    return asSchemas(first ?? branch.items);
  });
  return { schemas: items, root };
}

/** The values that may be filled in where there is none. */
export function defaultsOf({ schemas, root }: Rules): readonly Json[] {
  return branchesOf(schemas, root).flatMap((branch) =>
    Object.hasOwn(branch, "default") && branch.default !== undefined ? [branch.default] : [],
  );
}

/** The names of the fields that a schema describes. */
export function fieldsOf({ schemas, root }: Rules): readonly string[] {
  return branchesOf(schemas, root).flatMap((branch) =>
    Object.keys(isJsonObject(branch.properties) ? branch.properties : {}),
  );
}

/** Where a schema says nothing of a key, a validator may strip it. Where it describes other keys too, none is unknown. */
export function isDroppable({ schemas, root }: Rules, key: string): boolean {
  // What protects a harness from polluted prototypes drops this key wherever it stands.
  if (key === "__proto__") return !fieldsOf({ schemas, root }).includes(key);
  return schemas.some((schema) => {
    const branches = branchesOf([schema], root);
    const describesObjects = branches.some((branch) => branch.type === "object" || isJsonObject(branch.properties));
    const open = branches.some(({ additionalProperties: rest }) => rest === true || isJsonObject(rest));
    const named = branches.some(({ properties }) => isJsonObject(properties) && Object.hasOwn(properties, key));
    return describesObjects && !open && !named;
  });
}

/** The schemas, and what they are made of: unions, intersections, and references within the whole. */
function branchesOf(schemas: readonly JsonSchema[], root: JsonSchema | undefined): readonly JsonSchema[] {
  const branches = new Set(schemas);
  for (const branch of branches) {
    for (const list of [branch.allOf, branch.anyOf, branch.oneOf]) {
      if (Array.isArray(list)) for (const part of list) if (isJsonObject(part)) branches.add(part);
    }
    const referred = typeof branch.$ref === "string" ? lookUp(root, branch.$ref) : undefined;
    if (referred !== undefined) branches.add(referred);
  }
  return [...branches];
}

/** What a reference such as `#/$defs/place` stands for. */
function lookUp(root: JsonSchema | undefined, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return isJsonObject(found) ? found : undefined;
}

function asSchemas(value: Json | undefined): readonly JsonSchema[] {
  return isJsonObject(value) ? [value] : [];
}
