import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Harness } from "../contract/harness.ts";
import { UsageError } from "../errors.ts";
import { openStage, type Stage } from "../run/stage.ts";
import { aliveEveryMs, type StageReply, type StageRequest, type Witnessed } from "./stage-messages.ts";

type Say = (reply: StageReply) => void;

/**
 * Plays scripts for a campaign in another process, which can end this one where a run never lets go of it. What happens
 * in a run is written down at once, so that it is known up to the moment at which nothing more is heard.
 *
 * @param say sends a reply to the campaign.
 * @returns a function that takes a request from it.
 */
export function serveStage(harness: Harness, say: Say): (request: StageRequest) => Promise<void> {
  let stage: Stage | undefined;
  let file: number | undefined;
  let written = 0;
  const write = (line: Witnessed): void => {
    if (file !== undefined) written += writeSync(file, `${lineOf(line)}\n`, written);
  };
  const witness = { began: () => write({ began: true }), saw: write };
  setInterval(() => say({ type: "alive" }), aliveEveryMs).unref();

  const serve = async (request: StageRequest): Promise<void> => {
    if (request.type === "open") {
      file = openSync(request.witnessFile, "w");
      stage = await openStage(harness, { runTimeoutMs: request.runTimeoutMs, witness });
      say({ type: "opened" });
    } else if (request.type === "close") {
      if (file !== undefined) closeSync(file);
      file = undefined;
      await stage?.close();
      say({ type: "closed" });
    } else if (stage !== undefined) {
      const { alone, options, scripts } = request;
      if (file !== undefined) ftruncateSync(file);
      written = 0;
      const traces = alone ? [await stage.play(scripts[0]!, options)] : await stage.playAll(scripts, options);
      say({ type: "played", traces, hints: stage.hints() });
    }
  };
  return (request) =>
    serve(request).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      const { code, message, facts } = error;
      say({ type: "refused", code, message, facts });
    });
}

/** Arguments may nest deeper than the stack is: then the event is told without them. */
function lineOf(line: Witnessed): string {
  try {
    return JSON.stringify(line);
  } catch {
    return JSON.stringify({ ...line, args: null, value: null });
  }
}
