import { describe, expect, test } from "vitest";
import { authorityFields } from "../../arbitraries/authority-fields.ts";
import { isAuthorityWord } from "../../properties/authority-words.ts";

describe("fields that claim authority", () => {
  test("every one that is generated is recognised by the rule about them", () => {
    const unknown = authorityFields.map(([key]) => key).filter((key) => !isAuthorityWord(key));
    expect(unknown).toEqual([]);
  });

  test("what tools ordinarily ask for is none", () => {
    const ordinary = ["order", "amount", "reason", "note", "email", "page", "limit", "query", "city", "customer"];
    expect(ordinary.filter(isAuthorityWord)).toEqual([]);
  });
});
