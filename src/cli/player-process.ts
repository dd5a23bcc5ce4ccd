import { serveStage } from "../check/serve-stage.ts";
import type { StageReply, StageRequest } from "../check/stage-messages.ts";
import { UsageError } from "../errors.ts";
import { loadHarness } from "./load-harness.ts";

// The process in which a harness is played that can't share one with its judge: loads it, and plays what it is sent.
const [file = "", picked] = process.argv.slice(2);
const send = process.send?.bind(process);
delete process.send;
const say = (reply: StageReply): void => void send?.(reply, undefined, {}, () => {});

process.on("disconnect", () => process.exit());
// An interruption is for the process that asks for the runs.
process.on("SIGINT", () => {});

const requests: StageRequest[] = [];
let serve = (request: StageRequest): unknown => requests.push(request);
process.on("message", (request) => serve(request as StageRequest));
try {
  const { harness } = await loadHarness(file, picked);
  serve = serveStage(harness, say);
  for (const request of requests) serve(request);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say({ type: "refused", code: error.code, message: error.message, facts: {} });
}
