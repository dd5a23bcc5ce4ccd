import type { MockInstance } from "vitest";
import { describedValue } from "../contract/described-value.ts";
import { isGoing } from "../contract/going-runs.ts";
import type { TestRun } from "../contract/harness.ts";
import { nearestName } from "../contract/nearest-name.ts";
import { UsageError } from "../errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: what the parameters of every function fit
type Anything = any;

/** A mocked function, and how its parameters are the arguments of the tool. */
export type ReplacedTool<Parameters extends Anything[]> = readonly [
  mock: MockInstance<(...args: Parameters) => Anything>,
  toArguments: (...args: Parameters) => unknown,
];

/** Whose implementation a mock has: the run that replaced it last. */
const servedBy = new WeakMap<object, TestRun>();

/**
 * For tools that a harness imports instead of being given them: each call of a mocked function is reported as an invocation of its
 * tool (`run.toolCalled`), and gives what the script says, as a promise. To be called first thing in `run`.
 *
 * - The functions are mocked by the test: `vi.mock("./mailer.ts")`, or `vi.spyOn(mailer, "sendMail")`.
 * - The harness has a `world` of its own, since its tools have fixed names.
 * - Nothing is put back when the run ends: a call that comes late is evidence too, and must not reach the real function. The next run
 *   replaces the same mocks anew; `vi.resetAllMocks()` takes them away. Calls and results that a mock keeps are left alone.
 * - A mock is one for the whole process, so runs side by side could not be told apart: claim `concurrentRuns: false`.
 *
 * @param tools the tool's name, the mock, and how the parameters make the arguments that the model wrote.
 * @example
 * run: (run) => {
 *   replaceTools(run, { send_mail: [vi.mocked(sendMail), (to, body) => ({ to, body })] });
 *   return mailBot(run.nextTurn, run.maxSteps);
 * }
 * @throws UsageError `unknown-tool` where the run declares no such tool, `not-mocked` where a function is not a mock,
 * `runs-side-by-side` where an earlier run that uses the mock still goes on.
 */
export function replaceTools<Parameters extends { readonly [tool: string]: Anything[] }>(
  run: TestRun,
  tools: { readonly [Name in keyof Parameters]: ReplacedTool<Parameters[Name]> },
): void {
  const replaced = Object.entries<ReplacedTool<Anything[]>>(tools);
  for (const [tool, [mock]] of replaced) {
    checkDeclared(tool, run);
    checkMocked(tool, mock);
    checkAlone(tool, servedBy.get(mock), run);
  }
  for (const [tool, [mock, toArguments]] of replaced) {
    servedBy.set(mock, run);
    mock.mockImplementation((...args) => run.toolCalled(tool, argumentsOf(args, toArguments)));
  }
}

/** An invocation is witnessed whatever its parameters are: where they make no arguments, it shows as one with other arguments. */
function argumentsOf(args: readonly unknown[], toArguments: (...args: Anything[]) => unknown): unknown {
  try {
    return toArguments(...args);
  } catch {
    return args;
  }
}

function checkDeclared(tool: string, run: TestRun): void {
  const names = run.tools.map(({ name }) => name);
  if (names.includes(tool)) return;
  const near = nearestName(tool, names);
  const please = near === undefined ? "give the harness a `world` with that tool" : `write ${JSON.stringify(near)}`;
  throw new UsageError(
    "unknown-tool",
    `Expected each name in \`replaceTools\` to be a tool of the run, got ${describedValue(tool)}. Do ${please}.`,
    { tool, tools: names },
  );
}

function checkMocked(tool: string, mock: unknown): void {
  if (typeof (mock as Partial<MockInstance> | undefined)?.mockImplementation === "function") return;
  throw new UsageError(
    "not-mocked",
    `Expected the function for ${JSON.stringify(tool)} in \`replaceTools\` to be a mock, got ${describedValue(mock)}. Do mock it with \`vi.mock\` of its module, or \`vi.spyOn\`.`,
    { tool },
  );
}

function checkAlone(tool: string, other: TestRun | undefined, run: TestRun): void {
  if (other === undefined || other === run || !isGoing(other)) return;
  throw new UsageError(
    "runs-side-by-side",
    `Expected the mock for ${JSON.stringify(tool)} in \`replaceTools\` to serve one run at a time, got two side by side. Do claim \`concurrentRuns: false\`.`,
    { tool },
  );
}
