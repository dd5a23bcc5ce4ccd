import { describe, expect, it } from "vitest";
import { contentText, field, textField } from "./message-content.ts";

describe("message-content", () => {
  it("reads a text, text parts, and anything else as JSON", () => {
    expect(contentText("plain")).toBe("plain");
    expect(contentText([{ type: "text", text: "a" }, "b", { type: "image", source: 1 }])).toBe(
      'ab{"type":"image","source":1}',
    );
    expect(contentText(undefined)).toBe("");
    expect(contentText({ ok: true })).toBe('{"ok":true}');
  });

  it("reads own fields only", () => {
    expect(field({}, "constructor")).toBeUndefined();
    expect(field(null, "role")).toBeUndefined();
    expect(textField({ id: 1 }, "id")).toBe("");
  });
});
