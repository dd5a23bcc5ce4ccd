import type { ApprovalRequest } from "../contract/harness.ts";
import type { Decision, Script } from "../contract/script.ts";
import { UndecidedError } from "../errors.ts";
import { afterOneTurn, loopTurns, milliseconds } from "./event-loop.ts";
import type { Interruption } from "./interruption.ts";
import { messageOf, plain } from "./plain.ts";
import type { Recorder } from "./recorder.ts";

const SLOW_TURNS = 3;
const PAST_DEADLINE = 1.5;

export interface ApproverSetting {
  readonly script: Script;
  readonly recorder: Recorder;
  readonly interruption: Interruption;
  readonly deadlineMs: number | undefined;
  /** Other runs go beside this one: the human takes a moment, in which they may go on. */
  readonly isAmongOthers: boolean;
  /** The human said yes. */
  onGranted(): void;
  /** The harness has to wait for its deadline now. */
  onHang(): void;
}

/**
 * The human, played from a script: says yes, no, nothing yet, nothing ever, yes too late, or fails.
 */
export class ScriptedApprover {
  readonly #setting: ApproverSetting;
  #requests = 0;
  #lateAnswer: Promise<void> | undefined;

  constructor(setting: ApproverSetting) {
    this.#setting = setting;
  }

  /** Settles once the last late answer has been given, where one is due. */
  get lateAnswer(): Promise<void> | undefined {
    return this.#lateAnswer;
  }

  /** The harness's way to the human. Works when taken out of its object. */
  readonly requestApproval = (call: ApprovalRequest): Promise<boolean> => {
    const { recorder, interruption, script, deadlineMs } = this.#setting;
    const request = this.#requests;
    this.#requests += 1;
    const decision = script.decisions[Math.min(request, script.decisions.length - 1)] ?? "deny";
    const asked = { step: recorder.step, request, ...describeRequest(call) };
    recorder.record({ type: "approval-asked", ...asked });
    if (decision === "hang" || request > 1_000 + 4 * recorder.delivered) {
      if (interruption.isPlanned("approval", request)) interruption.fireSoon();
      recorder.record({ type: "human-hangs", step: asked.step, request, tool: asked.tool });
      this.#setting.onHang();
      return new Promise(() => {});
    }
    const answer = (): Promise<boolean> => {
      const granted = decision === "approve" || decision === "late-approve";
      recorder.record({ type: "approval-given", ...asked, decision, granted });
      if (granted) this.#setting.onGranted();
      return answerOf(decision, asked.tool);
    };
    if (interruption.isPlanned("approval", request)) {
      // The answer comes after the abort: a yes that may no longer be used.
      return new Promise((resolve) => interruption.fireSoon(() => afterOneTurn(() => resolve(answer()))));
    }
    if (decision !== "late-approve") {
      if (!this.#setting.isAmongOthers) return answer();
      return new Promise((resolve) => afterOneTurn(() => resolve(answer())));
    }
    this.#setting.onHang();
    const late = (deadlineMs === undefined ? loopTurns(SLOW_TURNS) : untilLate(deadlineMs)).then(answer);
    this.#lateAnswer = Promise.all([this.#lateAnswer, late]).then(() => {});
    return late;
  };
}

/**
 * The harness's deadline begins when it has asked, so the time is taken one turn of the event loop later. After a stall all
 * timers are due at once: those that began earlier and are shorter are heard first, and one more turn hears all others.
 */
async function untilLate(deadlineMs: number): Promise<void> {
  await loopTurns(1);
  await milliseconds(deadlineMs * PAST_DEADLINE);
  await loopTurns(1);
}

function answerOf(decision: Decision, tool: string): Promise<boolean> {
  if (decision === "later") return Promise.reject(new UndecidedError(tool));
  if (decision === "throw") return Promise.reject(new Error("the approval service can't be reached"));
  return Promise.resolve(decision !== "deny");
}

/** A request that throws when it is read is one about nothing. */
function describeRequest(call: Partial<ApprovalRequest> | undefined) {
  const { callId, tool, args } = membersOf(call);
  const described = { tool: typeof tool === "string" ? tool : messageOf(tool), args: plain(args) };
  return typeof callId === "string" ? { ...described, callId } : described;
}

function membersOf(call: Partial<ApprovalRequest> | undefined): { readonly [key in keyof ApprovalRequest]?: unknown } {
  try {
    const { callId, tool, args } = call ?? {};
    return { callId, tool, args };
  } catch {
    return {};
  }
}
