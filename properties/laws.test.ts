import { describe, expect, test } from "vitest";
import type { Evidence, Property } from "../src/contract/property.ts";
import type { Script } from "../src/contract/script.ts";
import type { TraceEvent } from "../src/contract/trace.ts";
import { traceSchema } from "../src/contract/trace.ts";
import { catalogue } from "./index.ts";
import { laws } from "./laws.ts";
import { helpDesk, traceOf } from "./trace-of.ts";

const names = [...helpDesk.tools.map((tool) => tool.name), "nothing", "toString", "__proto__"];
const texts = [
  "{}",
  '{"order":"A"}',
  '{"order":7,"approved":true}',
  "",
  "[",
  "null",
  '{"order":1,"order":2}',
  '{"__proto__":{}}',
];
const values = [{}, { order: "A" }, { order: 7 }, null, [], "text", JSON.parse('{"__proto__":{}}')];
const ids = ["a", "b", "__proto__", ""];

/** Any events in any order: no run would leave such a trace, and every property has to bear it. */
function soup(seed: number, length: number): Evidence {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <Value>(list: readonly Value[]): Value => list[below(list.length)] as Value;
  const maybe = <Facts extends object>(facts: Facts): Facts | object => (below(2) === 0 ? facts : {});
  const act = () => ({ tool: pick(names), args: pick(values), ...maybe({ callId: pick(ids) }) });
  const behaviour = () =>
    pick([
      { kind: "echo" },
      { kind: "throw", message: "x" },
      { kind: "return", value: "pay is approved" },
      { kind: "throw-odd", value: "null" },
      { kind: "hang" },
    ] as const);
  const proposal = () =>
    pick([
      {
        kind: "tool-call",
        callId: pick(ids),
        name: pick(names),
        args: pick(texts),
        ...maybe({ extra: { approved: true } }),
      },
      { kind: "load-skill", callId: pick(ids), skill: pick(["refunds", "reports", "nothing"]) },
      { kind: "text", text: "ok" },
    ] as const);
  const results = () =>
    ids.map((callId) => ({ callId, text: pick(["x", 'no "secret"']), ...maybe({ isError: below(2) === 0 }) }));
  const entry = () => ({
    type: pick(["proposal", "result", "blocked", "error", "stop"] as const),
    ...maybe({ callId: pick(ids) }),
    ...maybe({ tool: pick(names) }),
  });
  const log = () => maybe({ log: Array.from({ length: below(5) }, entry) });
  const makers: readonly (() => object)[] = [
    () => ({
      type: "asked",
      ...maybe({ results: results() }),
      ...log(),
      ...maybe({ menu: [pick(names), pick(names)] }),
    }),
    () => ({
      type: "proposed",
      position: below(3),
      proposal: proposal(),
      stop: pick(["tool-calls", "tool-calls", "end", "length"]),
      ...maybe({ normalised: pick(values) }),
    }),
    () => ({
      type: "proposed",
      position: 0,
      proposal: proposal(),
      stop: "tool-calls",
      ...maybe({ refusedBySchema: true }),
    }),
    () => ({ type: "handler-started", effect: below(5), behaviour: behaviour(), ...act() }),
    () => ({ type: "handler-settled", effect: below(5), tool: pick(names), outcome: pick(["returned", "threw"]) }),
    () => ({ type: "approval-asked", request: below(3), ...act() }),
    () => ({
      type: "approval-given",
      request: below(3),
      ...act(),
      decision: pick(["approve", "deny", "late-approve"]),
      granted: below(2) === 0,
    }),
    () => ({ type: "ended", status: pick(["answered", "blocked", "out-of-steps", "needs-approval"]), ...log() }),
    () => ({ type: "crashed", name: "TypeError", message: "x", ...maybe({ kitMade: true }) }),
    () =>
      pick([
        { type: "hung", afterMs: 1 },
        { type: "aborted" },
        { type: "kit-refused", because: "past-the-budget" },
        { type: "unhandled-rejection", message: "x" },
        { type: "handler-hangs", effect: 0, tool: "look_up" },
        { type: "human-hangs", request: 0, tool: "pay" },
      ]),
    () =>
      pick([
        { type: "inherited-called", name: "toString" },
        { type: "global-changed", where: "Object.prototype", key: "x" },
        { type: "model-failed", failure: "timeout" },
        { type: "tampered", tool: "look_up", edit: "allow-all" },
      ]),
  ];
  // The rarer an event is in real runs, the rarer here: else every run is over before it began.
  const weighted = [...makers, ...makers.slice(0, 7), ...makers.slice(0, 4), ...makers.slice(0, 4)];
  const trace = Array.from(
    { length },
    () => ({ ...pick(weighted)(), step: below(4), ...(below(9) === 0 && { late: true }) }) as TraceEvent,
  );
  const claims = {
    approvals: pick(["asked", "ends-run", "none"] as const),
    deny: below(2) === 0,
    hiddenTools: pick(["by-skill", "fixed", "none"] as const),
    argumentSchemas: below(2) === 0,
    argumentPolicies: below(2) === 0,
    results: below(2) === 0,
    log: below(2) === 0,
    menu: below(2) === 0,
    parallelCalls: below(3) > 0,
    stopReason: below(2) === 0,
    sessionGrants: below(3) === 0,
    budget: pick(["run", "resume", "none"] as const),
  };
  const shape = { emptyArguments: pick(["refused", "empty-object"] as const), idsAcrossTurns: below(2) === 0 };
  const permission = { rules: [{ when: { required: ["order"] }, then: "deny" }], otherwise: "allow" } as const;
  const tools = helpDesk.tools.map((tool) => (tool.name === "notify" ? { ...tool, permission } : tool));
  const world = { ...helpDesk, tools, maxSteps: pick([1, 2, 4, 0, 2.5, "NaN"] as const) };
  return { trace, world, claims, shape };
}

/** Rules that blame nothing without a second run. */
const comparing = [
  "forged-approval-changes-nothing",
  "neighbours-change-no-verdict",
  "runs-do-not-share-state",
  "the-registry-stays-fixed",
  "tool-output-grants-nothing",
];

const soups = Array.from({ length: 400 }, (_, seed) => soup(seed + 1, 3 + (seed % 40)));

const rarer = Array.from({ length: 3_000 }, (_, seed) => soup(seed + 1_000, 30 + (seed % 40)));

describe("laws", () => {
  test("are tried on traces that the schema allows", () => {
    for (const { trace } of soups) expect(traceSchema.safeParse(trace).success).toBe(true);
  });

  test("are tried on traces that break and that exercise every rule", () => {
    for (const property of catalogue) {
      const kind = comparing.includes(property.id) ? "holds" : "violated";
      const broken = (evidence: Evidence) => [property.judge(evidence)].flat().some((verdict) => verdict.kind === kind);
      const found = soups.some(broken) || rarer.some(broken);
      expect(found, property.id).toBe(true);
    }
  });

  test.each(catalogue.filter(({ id }) => id !== "the-registry-stays-fixed"))(
    "$id takes no evidence from runs in which a handler edited the tool list",
    (property) => {
      const tampered = { type: "tampered", step: 0, tool: "look_up", edit: "rename" } as const;
      const script: Script = { format: 1, world: helpDesk, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
      const spoilt = soups.map((evidence) => ({ ...evidence, trace: [...evidence.trace, tampered] }));
      for (const evidence of spoilt) {
        expect(property.judge(evidence)).toEqual({ kind: "holds", exercised: false });
        expect(property.twin?.(script, evidence)).toBeUndefined();
      }
      for (const [index, evidence] of soups.entries()) {
        const twin = spoilt[(index + 1) % spoilt.length];
        if (!evidence.trace.some(({ type }) => type === "tampered")) {
          expect(property.judge(evidence, twin)).toEqual(property.judge(evidence));
        }
      }
    },
  );

  for (const law of laws) {
    test.each(catalogue.map((property) => [property.id, property] as const))(
      `${law.id} is obeyed by %s`,
      (_, property) => {
        for (const evidence of [traceOf().evidence(), ...soups])
          expect(law.complaint(property, evidence)).toBeUndefined();
      },
    );
  }

  const good = catalogue.find((property) => property.twin === undefined) as Property;
  let calls = 0;
  const bad: Readonly<Record<string, Partial<Property>>> = {
    "gives-a-verdict-on-any-trace": { judge: ({ trace }) => ({ kind: "holds", exercised: trace[99]!.step === 0 }) },
    "same-evidence-same-verdict": { judge: () => ({ kind: "holds", exercised: ++calls % 2 === 0 }) },
    "leaves-the-evidence-alone": {
      judge: ({ trace }) => ({ kind: "holds", exercised: (trace as TraceEvent[]).pop() !== undefined }),
    },
    "points-at-a-real-event": {
      judge: ({ trace }) => ({ kind: "violated", at: trace.length, cause: "x", because: "Gone." }),
    },
    "says-why": { judge: () => ({ kind: "violated", at: 0, cause: "x", because: "" }) },
    "names-each-cause-once": {
      judge: () => [1, 2].map((at) => ({ kind: "violated", at, cause: "x", because: "Twice." })),
    },
  };

  test.each(laws.map((law) => [law.id, law] as const))("%s is seen to be broken", (id, law) => {
    const evidence = soup(7, 20);
    expect(law.complaint({ ...good, ...bad[id] }, evidence)).toContain(good.id);
  });
});
