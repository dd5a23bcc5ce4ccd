import { describe, expect, it } from "vitest";
import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport } from "../contract/report.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import { UsageError } from "../errors.ts";
import type { Json, JsonObject } from "../world/json.ts";
import { sameJson } from "../world/json.ts";
import { assertHolds } from "./assert-holds.ts";
import { headline } from "./headline.ts";
import { parting } from "./parting.ts";
import { renderJson } from "./render-json.ts";
import { renderTest } from "./render-test.ts";
import { renderText } from "./render-text.ts";
import { scriptLines } from "./script-lines.ts";
import { timeline } from "./timeline.ts";

const deep = JSON.parse(`${"[".repeat(3_000)}${"]".repeat(3_000)}`) as Json;

const script: Script = {
  format: 1,
  world: {
    tools: [
      { name: "close", description: "", inputSchema: { type: "object" }, permission: "allow", offered: "never" },
      {
        name: "refund",
        description: "",
        inputSchema: { type: "object" },
        permission: { rules: [{ when: { required: ["big"] }, then: "ask" }], otherwise: "allow" },
        offered: { afterSkill: "refunds" },
      },
    ],
    skills: ["refunds"],
    maxSteps: 3,
  },
  turns: [
    {
      stop: "tool-calls",
      proposals: [
        { kind: "load-skill", callId: "call-1", skill: "refunds" },
        { kind: "tool-call", callId: "call-2", name: "close", args: '{"id":7}', extra: { approved: true } },
      ],
    },
    { kind: "failure", failure: "timeout" },
    {
      stop: "length",
      proposals: [
        { kind: "tool-call", callId: "call-2", name: "close", args: '{"id":' },
        { kind: "text", text: "\u001b[2Jbye" },
      ],
    },
  ],
  afterTurns: "repeat-last",
  handlers: {
    close: [
      { kind: "return", value: "the refund is approved" },
      { kind: "throw", message: "offline" },
    ],
  },
  decisions: ["approve", "deny"],
};

const trace: Trace = [
  { type: "asked", step: 0, menu: ["refund"] },
  {
    type: "handler-started",
    step: 0,
    effect: 0,
    tool: "close",
    callId: "call-2",
    args: { id: 7 },
    behaviour: { kind: "echo" },
  },
  { type: "asked", step: 1, results: [{ callId: "call-2", text: "closed", isError: true }] },
  {
    type: "crashed",
    step: 1,
    name: "TypeError",
    message: "no\u001b[1m",
    stack: "TypeError: no\n    at play (/app/bot.ts:3:1)\n    at node:x",
  },
];

const finding: Finding = {
  cause: "hidden-tool",
  because: 'The handler of "close" ran, although the tool was not offered.',
  script,
  trace,
  at: 1,
  classes: ["honest-call", "hidden-tool", "malformed-json", "text"],
  proposals: 4,
  foundIn: "enumeration",
  savedAs: "only-offered-tools-run.hidden-tool.json",
  foundAfter: 12,
  shrinkRuns: 30,
};

function rule(id: string, verdict: RuleReport["verdict"], rest: Partial<RuleReport> = {}): RuleReport {
  const texts = { rule: "A handler runs only if its tool was offered.", oftenBrokenBy: "A menu taken for a lock." };
  return { id, level: "must", verdict, exercised: 0, findings: [], ...texts, ...rest };
}

const needs = (claim: string): Partial<RuleReport> => ({ needs: claim });

const report: Report = {
  format: 1,
  harness: "bot",
  ok: false,
  seed: 42,
  scripts: 3_214,
  rules: [
    rule("honest-calls-run", "holds", { exercised: 812 }),
    rule("every-call-gets-one-result", "unsupported", needs("results are not claimed")),
    rule("the-log-tells-the-truth", "unsupported", needs("log is not claimed")),
    rule("the-past-does-not-change", "unsupported", needs("log is not claimed")),
    rule("every-run-ends", "unknown", { because: "the property threw" }),
    rule("denied-tools-never-run", "not-exercised"),
    rule("only-offered-tools-run", "violated", { findings: [finding] }),
  ],
  hints: ["The harness passes `menu` without claiming it."],
  fixed: ["honest-calls-run.refused.json"],
};

/** The lines of a text without colours and indentation, to look for whole ones. */
const linesOf = (text: string) => text.split("\n").map((line) => line.trim());

describe("headline", () => {
  it("counts what was not judged and says why, each reason once", () => {
    expect(headline(report)).toBe(
      "1 broken, 1 unknown, 1 not exercised, 1 held, 3 not judged: results and log are not claimed",
    );
  });

  it("stays short: few claims by name, and no gate beside the gates that are named", () => {
    const gates = ["approvals are not claimed", "denied tools are not claimed", "hidden tools are not claimed"];
    const gate = "no gate is claimed, neither approvals nor denied nor hidden tools";
    const without = (...reasons: string[]) => ({
      ...report,
      rules: reasons.map((reason, index) => rule(`rule-${index}`, "unsupported", needs(reason))),
    });
    expect(headline(without(...gates, gate))).toBe(
      "0 held, 4 not judged: approvals, denied tools and hidden tools are not claimed",
    );
    expect(headline(without(gate))).toBe(`0 held, 1 not judged: ${gate}`);
    expect(headline(without(...["a", "b", "c", "d", "e", "f"].map((claim) => `${claim} is not claimed`)))).toBe(
      "0 held, 6 not judged: a, b, c, d and 2 more are not claimed",
    );
  });

  it("tells a broken SHOULD from a broken MUST, and that the campaign ended early", () => {
    const rules = [rule("a", "violated"), { ...rule("b", "violated"), level: "should" as const }, rule("c", "holds")];
    expect(headline({ ...report, rules, stoppedEarly: "the time limit was reached after 40 scripts" })).toBe(
      "stopped early: the time limit was reached after 40 scripts; 1 broken, 1 broken (SHOULD), 1 held",
    );
  });

  it("keeps the verb of a single claim, and reasons that are no claims", () => {
    const alone = { ...report, rules: [rule("a", "holds"), rule("b", "unsupported", needs("log is not claimed"))] };
    expect(headline(alone)).toBe("1 held, 1 not judged: log is not claimed");
    const mixed = { ...report, rules: [...alone.rules, rule("c", "unsupported", needs("the harness has no loop"))] };
    expect(headline(mixed)).toBe("1 held, 2 not judged: log is not claimed; the harness has no loop");
  });

  it("says of a report in which all held only that", () => {
    expect(headline({ ...report, rules: [rule("a", "holds")] })).toBe("1 held");
  });
});

describe("render-text", () => {
  const saved: Report = { ...report, savedIn: ".gatecrash" };
  const text = renderText(saved, { command: { harnessFile: "src/bot harness.ts", exportName: "default" } });

  it("names every rule with its verdict, and how often it was exercised", () => {
    for (const { id } of report.rules) expect(text).toContain(id);
    expect(text).toMatch(/honest-calls-run +exercised in 812 runs/);
    expect(text).toMatch(/the-log-tells-the-truth +log is not claimed/);
    expect(text).toMatch(/every-run-ends +the property threw/);
    expect(text).toContain("3,214 scripts, seed 42");
  });

  it("tells the parts of a finding in one order", () => {
    const parts = [
      'BROKEN only-offered-tools-run in "bot"',
      'The handler of "close" ran, although the tool was not offered.',
      "The smallest script: 4 proposals",
      "What the world saw",
      "The rule",
      "Often broken by",
      "npx gatecrash replay .gatecrash/only-offered-tools-run.hidden-tool.json --harness 'src/bot harness.ts'",
      'import { assertHolds, replayScript } from "gatecrash";',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect([...places].sort((left, right) => left - right)).toEqual(places);
  });

  it("says what was fixed, hinted, and why it stopped early", () => {
    const early = renderText({ ...report, stoppedEarly: "the time limit was reached" });
    expect(early).toContain("honest-calls-run.refused.json");
    expect(early).toContain("The harness passes `menu` without claiming it.");
    expect(early).toContain("stopped early: the time limit was reached");
  });

  it("has no control character but the line break, and the same words with colours as without", () => {
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    const coloured = renderText(saved, {
      colour: true,
      command: { harnessFile: "src/bot harness.ts", exportName: "default" },
    });
    expect(coloured).not.toBe(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours themselves
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(text);
  });

  it("has no replay line where there is no file to replay from", () => {
    expect(renderText(report)).not.toContain("npx gatecrash replay");
    expect(renderText(saved)).toContain("npx gatecrash replay .gatecrash/");
  });

  it("says of a replayed script only what is true of it", () => {
    const replay = { ...finding, foundIn: "saved", foundAfter: 1, shrinkRuns: 0 } as const;
    const rules = [rule("a", "violated", { findings: [replay] })];
    const text = renderText({ ...report, scripts: 1, seed: 0, replayed: true, fixed: [], rules });
    expect(linesOf(text)).toContain("1 script, replayed");
    expect(linesOf(text)).toContain("by playing the script again; cause: hidden-tool");
    expect(text).not.toMatch(/seed|saved script|npx gatecrash/);
  });

  it("says of a flaky finding that it did not fail again", () => {
    const flaky = renderText({ ...report, rules: [rule("a", "flaky", { findings: [{ ...finding, flaky: true }] })] });
    expect(flaky).toContain("FLAKY  a in");
    expect(flaky).toContain("did not fail again");
  });

  it("shortens long and deep values in the display, and never in the test", () => {
    const value = { kind: "return", value: deep } as const;
    const long = {
      ...script,
      handlers: { close: [value] },
      turns: [{ stop: "end", proposals: [{ kind: "text", text: "y".repeat(9_000) }] }],
    } as const;
    const whole = renderText({
      ...report,
      rules: [rule("a", "violated", { findings: [{ ...finding, script: long }] })],
    });
    const [shown = "", test = ""] = whole.split("Keep it as a test");
    expect(shown.length).toBeLessThan(6_000);
    expect(shown).toContain("9,002 characters");
    expect(test).toContain("y".repeat(9_000));
  });
});

describe("script-lines", () => {
  const lines = scriptLines(script, finding.classes);

  it("numbers every proposal and tags it with its class, where it is of one", () => {
    expect(lines.filter((line) => /^ +\d\. /.test(line)).map((line) => line.replace(/ {2,}/g, " ").trim())).toEqual([
      '1. load the skill "refunds" [honest-call]',
      '2. call "close" with {"id":7}, and beside the arguments {"approved":true}, call id "call-2" [hidden-tool]',
      '3. call "close" with the text "{\\"id\\":", call id "call-2" [malformed-json]',
      '4. say "\\u001b[2Jbye"',
    ]);
  });

  it("tells the world, the turns, the handlers and the human", () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        'at most 3 steps, skill "refunds"',
        'tool "close": allowed, not offered',
        'tool "refund": ask where {"required":["big"]}; otherwise allow, offered after the skill "refunds"',
        "turn 1:",
        "the model's request fails: timeout",
        "turn 2, cut off by length:",
        "then the last turn again, for ever",
        'the handler of "close" returns "the refund is approved", then throws "offline"',
        "the human answers: approve then deny",
      ]),
    );
  });

  it("shows runs before and beside, numbered on, with the tags that follow", () => {
    const small: Script = {
      ...script,
      turns: [{ stop: "end", proposals: [{ kind: "text", text: "hi" }] }],
      afterTurns: "end",
      handlers: {},
      decisions: [],
    };
    const both = scriptLines({ ...small, before: [small], beside: [small] }, ["own", "earlier", "besides"]);
    expect(both.filter((line) => /\d\. /.test(line)).map((line) => line.replace(/ {2,}/g, " ").trim())).toEqual([
      '2. say "hi" [earlier]',
      '1. say "hi" [own]',
      '3. say "hi" [besides]',
    ]);
  });

  it("says in words how runs take turns, and which is which", () => {
    const small: Script = { ...script, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
    const two = scriptLines({ ...small, beside: [small], schedule: [1, 0] });
    expect(two).toContain("the model answers them in this order: the other, the judged run");
    expect(two).toContain("  the model proposes nothing");
    const three = scriptLines({ ...small, beside: [small, small], schedule: [0, 2, 1] });
    expect(three).toContain("side by side, on the same harness (run 3):");
    expect(three).toContain("the model answers them in this order: the judged run, run 3, run 2");
  });

  it("ends the line of an empty turn without a colon", () => {
    const empty = (stop: "end" | "length" | "tool-calls") => ({ ...script, turns: [{ stop, proposals: [] }] });
    expect(scriptLines(empty("tool-calls"))).toContain("turn 1, empty");
    expect(scriptLines(empty("end"))).toContain("turn 1, the model's last, empty");
    expect(scriptLines(empty("length"))).toContain("turn 1, cut off by length, empty");
  });

  it("shows of a large world only the tools that matter", () => {
    const tools = Array.from({ length: 40 }, (_, index) => ({ ...script.world.tools[0]!, name: `tool-${index}` }));
    const large = scriptLines({ ...script, world: { ...script.world, tools: [...tools, ...script.world.tools] } });
    expect(large).toContain('tool "close": allowed, not offered');
    expect(large).toContain("and 41 other tools");
  });
});

describe("a report of many", () => {
  it("has one test to paste for each rule, and none for further causes", () => {
    const [rule] = report.rules.filter(({ findings }) => findings.length > 0);
    const [finding] = rule!.findings;
    const other = { ...rule!, findings: [finding!, { ...finding!, cause: "another" }] };
    const text = renderText({ ...report, rules: [other] });
    expect(text.split("Keep it as a test")).toHaveLength(2);
    expect(text).toContain("cause: another");
  });

  it("counts the rules that a replayed script gave nothing to judge, and lists those of a campaign", () => {
    const bare = ["a", "b", "c", "d"].map((id) => ({ ...report.rules[0]!, id, verdict: "not-exercised" as const }));
    const rules = bare.map((rule) => ({ ...rule, findings: [], because: "nothing to judge" }));
    expect(renderText({ ...report, rules, replayed: true })).toContain("4 rules had nothing to judge in this script");
    expect(renderText({ ...report, rules })).not.toContain("4 rules");
  });
});

describe("timeline", () => {
  it("points at the guilty event and at no other", () => {
    const lines = timeline(trace, 1);
    const guilty = lines.filter((line) => line.startsWith("→"));
    expect(guilty.map((line) => line.slice(1).trim())).toEqual(['"call-2": "close" runs with {"id":7}']);
  });

  it("gives each party a column of its own, and folds what does not fit", () => {
    const call = {
      kind: "tool-call",
      callId: "call-1",
      name: "close",
      args: `{"note":"${"a long note ".repeat(20)}"}`,
    };
    const batch = [
      { type: "asked", step: 0 },
      { type: "proposed", step: 0, position: 0, proposal: call, stop: "tool-calls" },
      { type: "approval-asked", step: 0, request: 0, tool: "close", args: {}, callId: "call-1" },
      { type: "approval-given", step: 0, request: 0, tool: "close", args: {}, decision: "deny", granted: false },
      { type: "handler-started", step: 0, effect: 0, tool: "close", args: {}, behaviour: { kind: "echo" } },
    ] as Trace;
    const [heading = "", ...lines] = timeline(batch, 4);
    expect(heading.split(/\s+/)).toEqual(["", "harness", "model", "human", "handlers"]);
    const columnOf = (words: string): number => lines.find((line) => line.includes(words))!.indexOf(words);
    expect(columnOf("asks the model")).toBe(heading.indexOf("harness"));
    expect(columnOf('"call-1": "close" with {"note"')).toBe(heading.indexOf("model"));
    expect(columnOf('"deny", "close" is not approved')).toBe(heading.indexOf("human"));
    expect(columnOf('"close" runs with {}')).toBe(heading.indexOf("handlers"));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(132);
  });

  it("says which result is missing, whose a return is, and what the log has more than before", () => {
    const call = { kind: "tool-call", callId: "call-1", name: "close", args: "{}" };
    const first = { type: "proposal", callId: "call-1" };
    const seen = [
      { type: "asked", step: 0, results: [], log: [] },
      { type: "proposed", step: 0, position: 0, proposal: call, stop: "tool-calls" },
      {
        type: "handler-started",
        step: 0,
        effect: 0,
        tool: "close",
        args: {},
        behaviour: { kind: "echo" },
        callId: "call-1",
      },
      { type: "handler-settled", step: 0, effect: 0, tool: "close", outcome: "returned", value: 1 },
      { type: "asked", step: 1, results: [], log: [first] },
      { type: "ended", step: 1, status: "answered", log: [{ type: "stop" }] },
    ] as Trace;
    const lines = linesOf(timeline(seen).join("\n"));
    expect(lines).toContain('"call-1": "close" returns 1');
    expect(lines).toContain('no result for "call-1"');
    expect(lines).toContain('log: proposal "call-1"');
    expect(lines).toContain("log, changed: stop");
  });

  it("shows results, menu and crash where they were seen, without frames of the platform", () => {
    const lines = linesOf(timeline(trace, 1).join("\n"));
    expect(lines).toContain('shown tools: "refund"');
    expect(lines).toContain('error result for "call-2": "closed"');
    expect(lines).toContain("the run crashes: TypeError: no\\u001b[1m");
    expect(lines).toContain("at play (/app/bot.ts:3:1)");
    expect(lines.join()).not.toContain("node:x");
  });

  it("leaves out the middle of a long trace, but never the guilty event", () => {
    const long: Trace = Array.from({ length: 500 }, (_, step) => ({ type: "asked", step }));
    const lines = timeline(long, 300);
    expect(lines.length).toBeLessThan(60);
    expect(lines.find((line) => line.startsWith("→"))).toContain("turn 301");
    expect(lines.join()).toContain("more events");
  });
});

describe("parting", () => {
  const ended: Trace = [{ type: "ended", step: 0, status: "blocked" }];
  const started = (args: JsonObject): Trace[number] => ({
    ...(trace[1] as Extract<Trace[number], { type: "handler-started" }>),
    args,
  });

  it("names the first thing that only one of two runs did", () => {
    expect(parting([started({}), ...ended], ended)).toEqual([
      'in this run:   turn 1, the handler of "close" runs with {}, for "call-2"',
      "in the other:  turn 1, the run ends: blocked",
    ]);
    expect(parting([...ended, started({})], ended)[1]).toBe("in the other:  nothing more happens");
  });

  it("looks past arguments that differ by design, and at them where nothing else does", () => {
    expect(parting([started({ a: 1 })], [started({}), ...ended])[0]).toContain("nothing more happens");
    expect(parting([started({ a: 1 })], [started({})])[0]).toContain('{"a":1}');
  });

  it("tells what the model was shown where the runs did the same", () => {
    const shown = (menu: readonly string[]): Trace => [{ type: "asked", step: 0, menu }, ...ended];
    const [here, there] = parting(shown(["close", "wipe"]), shown(["close"]));
    expect(here).toContain('shown tools: "close", "wipe"');
    expect(there).not.toContain("wipe");
    expect(parting(ended, ended)).toEqual(["the two runs did the same things"]);
  });
});

describe("render-test", () => {
  it("imports what it uses and judges the broken rule alone", () => {
    const test = renderTest("only-offered-tools-run", finding, { harnessFile: "src/bot.mts", exportName: "support" });
    expect(test).toContain('import { support as harness } from "./bot.mts";');
    expect(test).toContain('test("only-offered-tools-run: hidden-tool", async () => {');
    expect(test).toContain('{ only: ["only-offered-tools-run"] }');
  });

  it("says what to change where the harness's file is not known", () => {
    const lines = renderTest("x", finding).split("\n");
    expect(lines[lines.indexOf('import { harness } from "./your.harness.ts";') - 1]).toMatch(/^\/\/ Change this/);
  });

  it("holds the very script, hostile names and 3,000 levels included", () => {
    const hostile = JSON.parse('{"__proto__":[{"kind":"echo"}],"a\\"`$":[]}') as Script["handlers"];
    const held: Script = { ...script, handlers: { ...hostile, deep: [{ kind: "return", value: deep }] } };
    Object.defineProperty(held.handlers, "__proto__", { value: [{ kind: "echo" }], enumerable: true });
    const body = renderTest("x", { ...finding, script: held }).split("\n\n")[1];
    const seen: unknown[] = [];
    const given = {
      test: (_: string, run: () => void) => run(),
      assertHolds: () => {},
      harness: {},
      replayScript: (_: unknown, got: unknown) => seen.push(got),
    };
    new Function(...Object.keys(given), `${body?.replaceAll(/async |await /g, "")}`)(...Object.values(given));
    expect(sameJson(seen[0], held)).toBe(true);
  });
});

describe("render-json", () => {
  it("gives the whole report back, deep values included", () => {
    const value = {
      ...report,
      rules: [
        rule("a", "violated", { findings: [{ ...finding, trace: [{ ...trace[1]!, args: deep } as Trace[number]] }] }),
      ],
    };
    const text = renderJson(value);
    expect(sameJson(JSON.parse(text), value)).toBe(true);
    expect(text.length).toBeLessThan(60_000);
  });
});

describe("assert-holds", () => {
  it.each<[unknown, string]>([
    [null, "Expected the report of `WHO` to be an object, got null. Do give what `await checkHarness(harness)` gives."],
    [Promise.resolve(report), "Expected the report of `WHO` to be an object, got a promise."],
    [{}, "Expected `rules` of the report of `WHO` to be a list, got nothing."],
    [{ ...report, ok: undefined }, "Expected `ok` of the report of `WHO` to be true or false, got nothing."],
  ])("refuses what is no report, as its siblings do: %j", (value, sentence) => {
    for (const render of [assertHolds, renderText, renderJson]) {
      expect(() => render(value as Report)).toThrow(UsageError);
      expect(() => render(value as Report)).toThrow(sentence.replace("WHO", render.name));
    }
  });

  it("refuses options that are none", () => {
    expect(() => renderText(report, null as never)).toThrow(
      "Expected the options of `renderText` to be an object, got null.",
    );
    expect(() => assertHolds(report, null as never)).toThrow(UsageError);
  });

  it("is silent where the report is ok", () => {
    expect(() => assertHolds({ ...report, ok: true })).not.toThrow();
  });

  it("throws the text report with a stack that names the caller alone", () => {
    let thrown: unknown;
    try {
      assertHolds(report);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: "GatecrashError", message: renderText(report) });
    const frames = (thrown as Error).stack?.replace(renderText(report), "").split("\n").slice(1) ?? [];
    expect(frames).toHaveLength(1);
    expect(frames[0]).toContain("render-text.test.ts");
  });
});
