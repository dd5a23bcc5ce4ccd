import type { Claims, Harness, Outcome, Shape, TestRun } from "../contract/harness.ts";
import { validArgument } from "../contract/valid-argument.ts";
import { claimsIn } from "./world-claims.ts";

/** What every adapter's user may say, beside how the agent is built. */
export interface AgentOptions {
  /** As reports shall call it. */
  readonly name: string;
  /**
   * What your wiring promises more, or less, than the SDK's documentation does. In a world of your own the SDK's claims are made only
   * where a tool is about them.
   */
  readonly claims?: Partial<Claims>;
  readonly shape?: Partial<Shape>;
  /** Your own tools and policy, as `defineWorld` makes them. Absent: worlds are generated. */
  readonly world?: Harness["world"] & {};
  readonly normalise?: Harness["normalise"] & {};
  readonly accepts?: Harness["accepts"] & {};
  /** The thrown stops of your own wiring. Those that the SDK documents are known. */
  readonly stopsWith?: Harness["stopsWith"] & {};
  /** Play a major of the SDK that the adapter was never tried on. Default false. */
  readonly anyVersion?: boolean;
}

/** What an adapter adds to it. */
export interface AdapterBase {
  /** How errors name the adapter: "aiSdkHarness". */
  readonly of: string;
  /** What the SDK's documentation promises. */
  readonly claims: Claims;
  readonly shape: Shape;
  run(run: TestRun): Promise<Outcome>;
  /** The thrown stops that the SDK documents. */
  stopsWith?(error: unknown): Outcome["status"] | undefined;
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/**
 * The harness of an adapter: the SDK's claims and facts, under those that the user states.
 *
 * @param builds the option that builds the agent, a function.
 * @throws UsageError `bad-argument`.
 */
export function agentHarness<Options extends AgentOptions>(
  options: Options,
  builds: keyof Options & string,
  base: AdapterBase,
): Harness {
  const argument = { of: base.of, is: "the options", please: `give \`name\` and \`${builds}\`` };
  validArgument(options, argument, { [builds]: "function" });
  const { name, claims, shape, world, normalise, accepts, stopsWith } = options;
  const { open, close } = base;
  return {
    name,
    claims: { ...claimsIn(world, base.claims), ...claims },
    shape: { ...base.shape, ...shape },
    run: (run) => base.run(run),
    stopsWith: (error) => stopsWith?.(error) ?? base.stopsWith?.(error),
    ...(world && { world }),
    ...(normalise && { normalise }),
    ...(accepts && { accepts }),
    ...(open && { open }),
    ...(close && { close }),
  };
}
