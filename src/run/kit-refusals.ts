import { PastBudgetError } from "../errors.ts";
import { messageOf } from "./plain.ts";

const MOST_CAUSES = 100;
const PAST_BUDGET_TEXT = /no more turns: the budget of \S+ was passed/;
const abortRefusals = new WeakSet<object>();

/** The error by which a pending or a later request of an aborted run is refused, like that of a real transport. */
export function abortRefusal(): DOMException {
  const refusal = new DOMException("This operation was aborted", "AbortError");
  abortRefusals.add(refusal);
  return refusal;
}

/**
 * Whether an error is the kit's own refusal, passed on by the harness as it is, wrapped in errors of its own, or quoted.
 * What a harness makes of a refusal that no real model would have given is no evidence against it.
 *
 * @example
 * isKitRefusal(new Error("the model failed", { cause: new PastBudgetError(3) })) // true
 */
export function isKitRefusal(error: unknown): boolean {
  const pending: unknown[] = [error];
  for (let looked = 0; pending.length > 0 && looked < MOST_CAUSES; looked += 1) {
    const candidate = pending.shift();
    if (typeof candidate === "string" && PAST_BUDGET_TEXT.test(candidate)) return true;
    if (typeof candidate !== "object" || candidate === null) continue;
    if (candidate instanceof PastBudgetError || abortRefusals.has(candidate)) return true;
    if (PAST_BUDGET_TEXT.test(messageOf(candidate))) return true;
    pending.push(...causesOf(candidate));
  }
  return false;
}

function causesOf(error: object): unknown[] {
  try {
    const { cause, errors, lastError } = error as { cause?: unknown; errors?: unknown; lastError?: unknown };
    return [cause, lastError, ...(Array.isArray(errors) ? errors.slice(0, MOST_CAUSES) : [])];
  } catch {
    return [];
  }
}
