import { describe, expect, it } from "vitest";
import type { ToolCall } from "../contract/turn.ts";
import { AnswerBook } from "./mcp-answers.ts";

const call = (name: string): ToolCall => ({ kind: "tool-call", callId: "a", name, args: "{}" });
const unanswered = (...names: readonly string[]) => names.map((name) => ({ call: call(name), isAnswered: false }));

/** How many calls of each turn are lost. */
const lostIn = (book: AnswerBook, run: object, turns: readonly (readonly string[])[]) =>
  turns.map((names) => book.enter(run, unanswered(...names)).size);

describe("AnswerBook", () => {
  it("loses the third call of a run that a tool leaves unanswered, and those after it", () => {
    expect(lostIn(new AnswerBook(), {}, [["wait"], ["wait"], ["wait"], ["wait"]])).toEqual([0, 0, 1, 1]);
  });

  it("counts within one run and for one tool, and over more than one turn: calls of one turn may queue", () => {
    const book = new AnswerBook();
    expect([...lostIn(book, {}, [["wait"], ["wait"]]), ...lostIn(book, {}, [["wait"], ["other"]])]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(lostIn(new AnswerBook(), {}, [["wait", "wait", "wait"], ["wait"]])).toEqual([0, 1]);
  });

  it("loses none of a tool that has answered once, be it late", () => {
    const [inTime, late] = [new AnswerBook(), new AnswerBook()];
    inTime.enter({}, [{ call: call("wait"), isAnswered: true }]);
    late.cameLate("wait");
    for (const book of [inTime, late]) expect(lostIn(book, {}, [["wait"], ["wait"], ["wait"]])).toEqual([0, 0, 0]);
  });

  it("waits less long for a tool that has left three calls unanswered and answered none", () => {
    const book = new AnswerBook();
    for (let run = 0; run < 3; run += 1) {
      expect(book.patience("wait", 5_000)).toBe(5_000);
      lostIn(book, {}, [["wait"]]);
    }
    expect([book.patience("wait", 5_000), book.patience("wait", 200), book.patience("other", 5_000)]).toEqual([
      1_000, 200, 5_000,
    ]);
    book.cameLate("wait");
    expect(book.patience("wait", 5_000)).toBe(5_000);
  });
});
