import { type JsonSchema, satisfies } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/world/json.ts";
import { referenced } from "./merged-schema.ts";

/** A part of a schema, and the value inside some valid arguments that it describes. */
export interface Place {
  readonly schema: JsonSchema;
  /** Where the part stands in the whole schema. */
  readonly path: readonly string[];
  readonly value: Json;
  /** Whether several parts describe the value, so that breaking one may break another. */
  readonly composed: boolean;
  /** The arguments with another value in this place; without one: with none. */
  put(value: Json | undefined): JsonObject;
}

const most = 120;

/** Every part of a schema that describes something in these arguments, from the outside in. */
export function placesIn(root: JsonSchema, args: JsonObject): readonly Place[] {
  const start: Place = {
    schema: root,
    path: [],
    value: args,
    composed: false,
    put: (value) => (value ?? {}) as JsonObject,
  };
  const places: Place[] = [start];
  for (const place of places) {
    if (places.length > most) break;
    places.push(...sameValue(place, root), ...innerValues(place));
  }
  return places;
}

const saysNothing = new Set(["title", "description", "default", "examples", "$schema", "$id", "$defs", "definitions"]);

/** Parts that describe the same value. Of several options only the one that the value is of. */
function sameValue(place: Place, root: JsonSchema): readonly Place[] {
  const { schema, path, value } = place;
  const found: Place[] = [];
  const telling = Object.keys(schema).filter((key) => !saysNothing.has(key));
  const parts = telling.length + Math.max(0, list(schema.allOf).length - 1);
  const add = (part: Json | undefined, steps: readonly string[]) => {
    if (isJsonObject(part)) found.push({ ...place, schema: part, path: steps, composed: place.composed || parts > 1 });
  };
  if (typeof schema.$ref === "string") {
    const { part, path: there } = referenced(root, schema.$ref);
    if (part !== schema) add(part, there);
  }
  for (const [index, part] of list(schema.allOf).entries()) add(part, [...path, "allOf", String(index)]);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const options = list(schema[keyword]);
    const chosen = options.findIndex((option) => isOf(root, option, value));
    if (chosen >= 0) add(options[chosen], [...path, keyword, String(chosen)]);
  }
  if (schema.if !== undefined) {
    const branch = isOf(root, schema.if, value) ? "then" : "else";
    add(schema[branch], [...path, branch]);
  }
  return found;
}

function innerValues({ schema, path, value, composed, put }: Place): readonly Place[] {
  const found: Place[] = [];
  const add = (
    part: Json | undefined,
    steps: readonly string[],
    item: Json,
    inner: (item: Json | undefined) => Json,
  ) => {
    if (!isJsonObject(part)) return;
    found.push({
      schema: part,
      path: [...path, ...steps],
      value: item,
      // What a list has to contain depends on all of its items.
      composed: composed || schema.contains !== undefined,
      put: (next) => put(inner(next)),
    });
  };
  if (Array.isArray(value)) {
    const prefix = list(schema.prefixItems);
    const replaced = (at: number) => (item: Json | undefined) =>
      item === undefined ? value.toSpliced(at, 1) : value.with(at, item);
    for (const [index, part] of prefix.entries())
      if (index < value.length) add(part, ["prefixItems", String(index)], value[index], replaced(index));
    if (value.length > prefix.length) add(schema.items, ["items"], value[prefix.length], replaced(prefix.length));
  } else if (isJsonObject(value)) {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    let others = 0;
    for (const [key, item] of Object.entries(value)) {
      const replaced = (next: Json | undefined): Json => {
        const { [key]: _replaced, ...rest } = value;
        return next === undefined ? rest : { ...rest, [key]: next };
      };
      if (Object.hasOwn(properties, key)) add(properties[key], ["properties", key], item, replaced);
      else if (schema.patternProperties === undefined && others++ === 0)
        add(schema.additionalProperties, ["additionalProperties"], item, replaced);
    }
  }
  return found;
}

/** Whether a value is described by a part of a schema, whose references lead into the whole. */
export function isOf(root: JsonSchema, part: Json | undefined, value: Json): boolean {
  if (typeof part === "boolean" || part === undefined) return part !== false;
  if (!isJsonObject(part)) return false;
  const shared = {
    ...(root.$defs && { $defs: root.$defs }),
    ...(root.definitions && { definitions: root.definitions }),
  };
  try {
    return satisfies({ ...part, ...shared }, value);
  } catch {
    return false;
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
