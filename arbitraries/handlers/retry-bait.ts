import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

/**
 * An honest call whose handler did its work and then throws what retry code looks for: a time-out, a rate limit, a reset
 * connection, a server error. Nobody can tell from outside whether the work was done.
 *
 * Harnesses get it wrong where such messages are caught and the call is made again without anybody asking for it.
 *
 * Shrinks to one call of the first allowed tool that times out.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "effect-then-throw", message: "ETIMEDOUT" }] } }
 */
export const retryBait: ScriptClass<Pick> = performing({
  id: "retry-bait",
  says: "A permitted call that fails with a message that retry code looks for.",
  performances: [
    [{ kind: "effect-then-throw", message: "connect ETIMEDOUT 192.0.2.1:443" }],
    [{ kind: "throw", message: "429 Too Many Requests: retry after 0 seconds" }],
    [{ kind: "effect-then-throw", message: "read ECONNRESET" }],
    [{ kind: "throw", message: "503 Service Unavailable" }],
    [{ kind: "effect-then-throw", message: "socket hang up" }],
    [{ kind: "throw", message: "The operation was aborted due to timeout" }],
    [{ kind: "throw", message: "rate_limit_exceeded" }],
    [{ kind: "effect-then-throw", message: "fetch failed" }],
    [{ kind: "throw", message: "temporarily unavailable, please try again" }],
    [{ kind: "throw", message: "deadlock detected; transaction can be retried" }],
  ],
  telling: 1,
});
