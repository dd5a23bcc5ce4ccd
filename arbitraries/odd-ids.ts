import { namesOfObject } from "./inherited-names.ts";

/** Call ids that no provider should send and that some do, or a proxy makes of theirs. */
export const oddIds: readonly string[] = [
  "",
  "__proto__",
  "x".repeat(5000),
  "call 1",
  "constructor",
  "toString",
  "0",
  " ",
  "call\n1",
  "null",
  "undefined",
  "ca\u0301ll-\u{1F600}",
  '{"id":"call-1"}',
  "../call-1",
  "-1",
  "call-1,call-2",
  ...namesOfObject.slice(3),
];

const odd = new Set(oddIds);

export function isOddId(id: string): boolean {
  return odd.has(id);
}
