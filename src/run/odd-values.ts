import type { Behaviour } from "../contract/behaviour.ts";

type Odd<Kind extends Behaviour["kind"]> = Extract<Behaviour, { readonly kind: Kind; readonly value: string }>["value"];

/**
 * The values that handlers really return or throw, and that a harness which only thinks of JSON and of `Error` trips over.
 *
 * @example
 * oddValue("bigint") // 10n
 */
export function oddValue(name: Odd<"throw-odd"> | Odd<"return-odd">): unknown {
  switch (name) {
    case "null":
      return null;
    case "undefined":
      return undefined;
    case "bigint":
      return 10n;
    case "function":
      return () => "done";
    case "symbol":
      return Symbol("done");
    case "cyclic": {
      const cyclic: Record<string, unknown> = { note: "done" };
      cyclic.self = cyclic;
      return cyclic;
    }
    case "null-prototype":
      return Object.assign(Object.create(null), { note: "done" });
    case "throwing-to-json":
      return {
        note: "done",
        toJSON() {
          throw new Error("this value can't be written as JSON");
        },
      };
  }
}
