import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writtenMembers, writtenParts } from "./json-parts.ts";

describe("json-parts", () => {
  it("gives each element as it was written", () => {
    expect(writtenParts('[ {"a": [1,2]} , "x,]", 1e400 ]')).toEqual(['{"a": [1,2]}', '"x,]"', "1e400"]);
    expect(writtenParts("[]")).toEqual([]);
  });

  it("gives each member as it was written, repeated keys too", () => {
    expect(writtenMembers('{"a":{"b":1,"b":2},"q\\"uote":"}","a" : 3}')).toEqual([
      { key: "a", value: '{"b":1,"b":2}' },
      { key: 'q"uote', value: '"}"' },
      { key: "a", value: "3" },
    ]);
  });

  it("reads every array and object as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (array, object) => {
        expect(writtenParts(JSON.stringify(array)).map((part) => JSON.parse(part))).toEqual(
          JSON.parse(JSON.stringify(array)),
        );
        const members = writtenMembers(JSON.stringify(object)).map(({ key, value }) => [key, JSON.parse(value)]);
        expect(Object.fromEntries(members)).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it("is not overflown by 3,000 levels", () => {
    const deep = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
    expect(writtenMembers(`{"deep":${deep}}`)).toEqual([{ key: "deep", value: deep }]);
  });
});
