/** What went wrong before any judging could start: bad input, a harness that can't be used. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Stable, for programs. */
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;

  /**
   * @param code such as "no-such-file"
   * @param message two sentences: "Expected `x` to be ..., got `y`. Do ...".
   */
  constructor(code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.facts = facts;
  }
}

/** `nextTurn` rejects with it where the script lets the model's own request fail. It is not a step. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly failure: "rate-limit" | "overloaded" | "timeout" | "connection";

  constructor(failure: ModelError["failure"]) {
    super(`the model's request failed: ${failure}`);
    this.failure = failure;
  }
}

/** `requestApproval` rejects with it where the human leaves the request open. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";

  constructor(tool: string) {
    super(`the human has not decided about "${tool}" yet`);
  }
}

/** `nextTurn` rejects with it once the kit serves no more turns: far past the budget. */
export class PastBudgetError extends Error {
  override readonly name = "PastBudgetError";

  constructor(maxSteps: number) {
    super(`no more turns: the budget of ${maxSteps} was passed`);
  }
}
