import { describe, expect, it } from "vitest";
import { resultReader, type Sent } from "./new-results.ts";

const reply: Sent = { kind: "reply" };
const result = (callId: string, text = callId): Sent => ({ kind: "result", result: { callId, text } });
const texts = (results: readonly { text: string }[]) => results.map(({ text }) => text);

describe("new-results", () => {
  it("takes what stands there before the first turn for an example", () => {
    expect(resultReader().read([reply, result("x")])).toEqual([]);
  });

  it("gives each result once, in order", () => {
    const reader = resultReader();
    reader.delivered([], ["b", "a"]);
    const first = [reply, result("b"), result("a")];
    expect(texts(reader.read(first))).toEqual(["b", "a"]);
    reader.delivered(first, ["c"]);
    expect(texts(reader.read([...first, reply, result("c")]))).toEqual(["c"]);
    expect(reader.read([...first, reply])).toEqual([]);
  });

  it("gives them again where the request failed and is made again", () => {
    const reader = resultReader();
    reader.delivered([], ["a", "b"]);
    const split = [reply, result("a"), reply, result("b")];
    expect(texts(reader.read(split))).toEqual(["a", "b"]);
    expect(texts(reader.read(split))).toEqual(["a", "b"]);
  });

  it("takes a reworded old result for an old one", () => {
    const reader = resultReader();
    reader.delivered([], ["a"]);
    reader.delivered([reply, result("a", "long")], ["b"]);
    expect(texts(reader.read([reply, result("a", "(cut)"), reply, result("b")]))).toEqual(["b"]);
  });

  it("tells a reused id's new result, also where the old one was dropped", () => {
    const reader = resultReader();
    reader.delivered([], ["a"]);
    reader.delivered([reply, result("a", "first")], ["a"]);
    expect(texts(reader.read([reply, result("a", "first"), reply, result("a", "second")]))).toEqual(["second"]);
    expect(texts(reader.read([reply, result("a", "second")]))).toEqual(["second"]);
    expect(reader.read([reply, result("a", "first"), reply])).toEqual([]);
  });

  it("gives a result that no call asked for", () => {
    const reader = resultReader();
    reader.delivered([], ["a"]);
    expect(texts(reader.read([reply, result("a"), result("ghost")]))).toEqual(["a", "ghost"]);
  });

  it("counts only what was delivered as old after a turn without calls", () => {
    const reader = resultReader();
    reader.delivered([], ["a"]);
    const conversation = [reply, result("a")];
    reader.delivered(conversation, []);
    expect(reader.read(conversation)).toEqual([]);
  });
});
