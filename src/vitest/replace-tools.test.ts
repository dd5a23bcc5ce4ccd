import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { assertHolds, checkHarness, defineWorld, type Harness, type TestRun, UsageError } from "../index.ts";
import { replaceTools } from "./replace-tools.ts";

const sendMail = vi.fn(async (to: string, _body: string): Promise<string> => `really sent to ${to}`);
const mailer = { listMail: async (folder: string) => [`really listed ${folder}`] };

const { world } = defineWorld(
  {
    send_mail: {
      schema: {
        type: "object",
        properties: { to: { type: "string" }, body: { type: "string" } },
        required: ["to", "body"],
        additionalProperties: false,
      },
    },
    list_mail: {
      schema: {
        type: "object",
        properties: { folder: { type: "string" } },
        required: ["folder"],
        additionalProperties: false,
      },
    },
  },
  { maxSteps: 4 },
);

afterEach(() => void vi.restoreAllMocks());

/** A run that keeps what was called. */
function runOf() {
  const called: unknown[] = [];
  const run: TestRun = {
    tools: world.tools.map((tool) => ({ ...tool, execute: async () => "injected" })),
    skills: [],
    maxSteps: 4,
    signal: new AbortController().signal,
    nextTurn: async () => ({ proposals: [], stop: "end" }),
    requestApproval: async () => false,
    toolCalled: async (tool, args) => {
      called.push([tool, args]);
      return "scripted";
    },
  };
  return { run, called };
}

/** A loop over the imported functions. The broken one trusts whatever it can parse. */
function mailHarness(claims: Partial<Harness["claims"]>, isCareful = true): Harness {
  return {
    name: "mail-bot",
    claims: { approvals: "none", deny: false, hiddenTools: "none", argumentSchemas: isCareful, ...claims },
    world,
    async run(run) {
      replaceTools(run, {
        send_mail: [vi.mocked(sendMail), (to, body) => ({ to, body })],
        list_mail: [vi.spyOn(mailer, "listMail"), (folder) => ({ folder })],
      });
      for (let step = 0; step < run.maxSteps; step += 1) {
        const { proposals } = await run.nextTurn();
        const calls = proposals.filter((proposal) => proposal.kind === "tool-call");
        if (calls.length === 0) return { status: "answered" };
        for (const { name, args } of calls) {
          const { to, body, folder, ...rest } = objectIn(args) ?? {};
          const isText = isCareful ? (value: unknown) => typeof value === "string" : () => true;
          const isExact = Object.keys(rest).length === 0;
          const send = name === "send_mail" && isText(to) && isText(body) && isExact && folder === undefined;
          const list = name === "list_mail" && isText(folder) && isExact && to === undefined && body === undefined;
          if (send) await sendMail(to as string, body as string).catch(() => "failed");
          else if (list) await mailer.listMail(folder as string).catch(() => "failed");
          else return { status: "blocked" };
        }
      }
      return { status: "out-of-steps" };
    },
  };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

describe("replace-tools", () => {
  it("reports each call of a mock as an invocation of its tool, and gives what the script says", async () => {
    const { run, called } = runOf();
    const listMail = vi.spyOn(mailer, "listMail");
    replaceTools(run, {
      send_mail: [vi.mocked(sendMail), (to, body) => ({ to, body })],
      list_mail: [listMail, (folder) => ({ folder })],
    });
    expect(await sendMail("ann@example.org", "Hi")).toBe("scripted");
    expect(await mailer.listMail("inbox")).toBe("scripted");
    expect(called).toEqual([
      ["send_mail", { to: "ann@example.org", body: "Hi" }],
      ["list_mail", { folder: "inbox" }],
    ]);
    expect(listMail).toHaveBeenCalledOnce();
  });

  it("serves the run that replaced it last, and leaves alone what it did not set", async () => {
    const [first, second] = [runOf(), runOf()];
    const other = vi.fn(() => "mine");
    for (const { run } of [first, second]) {
      replaceTools(run, { send_mail: [sendMail, (to) => ({ to })] });
    }
    await sendMail("ann@example.org", "");
    expect([first.called.length, second.called.length]).toEqual([0, 1]);
    expect(other()).toBe("mine");
    expect(other.mock.calls).toHaveLength(1);
  });

  it("witnesses a call whose parameters make no arguments", async () => {
    const { run, called } = runOf();
    const odd = vi.fn(async (mail: { readonly to: string }) => mail.to);
    replaceTools(run, { send_mail: [odd, ({ to }) => ({ to })] });
    await odd(undefined as never);
    expect(called).toEqual([["send_mail", [undefined]]]);
  });

  it("knows the parameters of each function", () => {
    const { run } = runOf();
    replaceTools(run, {
      send_mail: [
        vi.mocked(sendMail),
        (to, body) => {
          expectTypeOf(to).toEqualTypeOf<string>();
          expectTypeOf(body).toEqualTypeOf<string>();
          return { to, body };
        },
      ],
      list_mail: [
        vi.fn(async (folder: string, limit: number) => [folder, limit]),
        (folder, limit) => {
          expectTypeOf(folder).toEqualTypeOf<string>();
          expectTypeOf(limit).toEqualTypeOf<number>();
          return { folder };
        },
      ],
    });
    // @ts-expect-error: a function that is not mocked
    const notMocked = () => replaceTools(run, { list_mail: [mailer.listMail, (folder: string) => ({ folder })] });
    expect(notMocked).toThrow(UsageError);
    expect(notMocked).toThrow(
      'Expected the function for "list_mail" in `replaceTools` to be a mock, got a function. Do mock it with `vi.mock` of its module, or `vi.spyOn`.',
    );
  });

  it("refuses a name that is no tool of the run, and replaces nothing then", async () => {
    const { run, called } = runOf();
    const fresh = vi.fn(async (folder: string) => folder);
    const misspelled = () =>
      replaceTools(run, { list_mail: [fresh, (folder) => folder], send_mial: [sendMail, String] });
    expect(misspelled).toThrow(
      'Expected each name in `replaceTools` to be a tool of the run, got "send_mial". Do write "send_mail".',
    );
    expect(() => replaceTools(run, { toString: [sendMail, String] })).toThrow("Do give the harness a `world`");
    expect(await fresh("inbox")).toBe("inbox");
    expect(called).toEqual([]);
  });

  it("carries a campaign: a careful loop holds, a hasty one is found out", { timeout: 120_000 }, async () => {
    const options = { runs: 20, seed: 1 };
    assertHolds(await checkHarness(mailHarness({ concurrentRuns: false }), options));
    const report = await checkHarness(mailHarness({ concurrentRuns: false, argumentSchemas: true }, false), options);
    const broken = report.rules.filter(({ verdict }) => verdict === "violated").map(({ id }) => id);
    expect(broken).toEqual(["malformed-proposals-run-nothing", "only-valid-arguments-reach-handlers"]);
  });

  it("refuses runs side by side", async () => {
    const sequence = [runOf().run, runOf().run] as const;
    const { runBegan, runEnded } = await import("../contract/going-runs.ts");
    const replace = (run: TestRun) => replaceTools(run, { send_mail: [sendMail, (to) => ({ to })] });
    for (const run of sequence) runBegan(run);
    replace(sequence[0]);
    expect(() => replace(sequence[1])).toThrow(
      "to serve one run at a time, got two side by side. Do claim `concurrentRuns: false`.",
    );
    runEnded(sequence[0]);
    replace(sequence[1]);
    runEnded(sequence[1]);
  });
});
