import { UsageError } from "../errors.ts";

/**
 * An object that says so where a member is read that it does not have: a loop that needs more of a client than its double
 * offers is told in a sentence, instead of by "is not a function" somewhere inside.
 *
 * @param path how the sentence names the object.
 * @param instead what to do about it: "give the loop ...".
 */
export function onlyMembers<Members extends object>(path: string, members: Members, instead: string): Members {
  return new Proxy(members, {
    get(target, key) {
      const asked = typeof key === "string" && !probed.has(key) && !(key in target);
      if (!asked) return Reflect.get(target, key);
      throw new UsageError(
        "not-in-the-double",
        `Expected the loop to use \`${path}.${Object.keys(target).join("`, `")}\` only, got \`${path}.${key}\`. Do ${instead}.`,
        { path, key },
      );
    },
  });
}

/** Read by the language, by printing and by comparing, never by a loop. */
const probed: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "asymmetricMatch",
  "nodeType",
  "tagName",
  "$$typeof",
  "inspect",
]);
