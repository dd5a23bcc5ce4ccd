import type { ApprovalRequest, TestRun } from "../contract/harness.ts";
import { UndecidedError } from "../errors.ts";

/**
 * Puts a call to the scripted human, as an application does whose user may leave while it waits. A human who can't be reached
 * has not agreed.
 *
 * @param signal undefined where nobody listens to one.
 * @returns undefined where it is not decided yet.
 * @throws the reason of the signal, once it has aborted.
 */
export async function askHuman(
  run: TestRun,
  call: ApprovalRequest,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  signal?.throwIfAborted();
  try {
    return await unlessAborted(run.requestApproval(call), signal);
  } catch (error) {
    signal?.throwIfAborted();
    return error instanceof UndecidedError ? undefined : false;
  }
}

async function unlessAborted<Value>(waiting: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return waiting;
  // It may have aborted while the human was asked.
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
