const kind = Symbol.for("gatecrash.error-kind");

/**
 * Loaders and package managers make copies of a module: the kit that throws an error need not be the copy that a harness
 * imports its class from. `instanceof` asks for the kind of error, so that every copy knows it.
 */
abstract class KitError extends Error {
  abstract get [kind](): string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    try {
      // biome-ignore lint/complexity/noThisInStatic: the class that is asked about, not this one
      return value instanceof Error && (value as Partial<KitError>)[kind] === this.prototype[kind];
    } catch {
      // A proxy may throw at whatever is asked of it.
      return false;
    }
  }
}

/** What went wrong before any judging could start: bad input, a harness that can't be used. */
export class UsageError extends KitError {
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

  get [kind](): string {
    return "UsageError";
  }
}

/** `nextTurn` rejects with it where the script lets the model's own request fail. It is not a step. */
export class ModelError extends KitError {
  override readonly name = "ModelError";
  readonly failure: "rate-limit" | "overloaded" | "timeout" | "connection";

  constructor(failure: ModelError["failure"]) {
    super(`the model's request failed: ${failure}`);
    this.failure = failure;
  }

  get [kind](): string {
    return "ModelError";
  }
}

/** `requestApproval` rejects with it where the human leaves the request open. */
export class UndecidedError extends KitError {
  override readonly name = "UndecidedError";

  constructor(tool: string) {
    super(`the human has not decided about "${tool}" yet`);
  }

  get [kind](): string {
    return "UndecidedError";
  }
}

/** `nextTurn` rejects with it once the kit serves no more turns: far past the budget. */
export class PastBudgetError extends KitError {
  override readonly name = "PastBudgetError";

  constructor(maxSteps: number) {
    super(`no more turns: the budget of ${maxSteps} was passed`);
  }

  get [kind](): string {
    return "PastBudgetError";
  }
}
