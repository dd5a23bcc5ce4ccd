import type { Harness } from "../contract/harness.ts";

type Used = "requestApproval" | "results" | "log" | "menu" | "signal" | "normalise" | "malformed-input";

/** What these claims are about: there is none of it where nobody is asked. */
const meaningless = {
  sessionGrants: "is about what a human grants",
  budget: 'is "resume", and the budget starts again where a human says yes',
} as const;

/**
 * What the harness uses but does not claim, and the like: without a hint, a rule would be called unsupported though the
 * harness gives all that is needed to judge it.
 */
export class Hints {
  readonly #harness: Harness;
  readonly #used = new Set<Used>();
  #malformed: string | undefined;

  constructor(harness: Harness) {
    this.#harness = harness;
  }

  note(used: Used): void {
    this.#used.add(used);
  }

  /** Something that was passed is not of the documented form: the first thing is named. */
  noteMalformed(what: string): void {
    this.#used.add("malformed-input");
    this.#malformed ??= what;
  }

  /** One sentence or two each, always in the same order. */
  sentences(): readonly string[] {
    const { approvals, results, log, menu, abort, sessionGrants, budget } = this.#harness.claims;
    // The loop around a bare dispatcher is the kit's, and it is this loop that reads the signal.
    const ownsLoop = this.#harness.shape?.loop !== "none";
    const hints: [Used, boolean, string][] = [
      [
        "requestApproval",
        approvals !== "asked",
        `\`requestApproval\` was called, but claims.approvals is "${approvals}": say "asked" to have the answers judged.`,
      ],
      [
        "results",
        results !== true,
        "`results` were passed to nextTurn, but claims.results is not set: set it to have them judged.",
      ],
      ["log", log !== true, "A `log` was passed, but claims.log is not set: set it to have the log judged."],
      [
        "menu",
        menu !== true,
        "A `menu` was passed to nextTurn, but claims.menu is not set: set it to have the menu judged.",
      ],
      [
        "signal",
        ownsLoop && abort !== true,
        "`signal` was read, but claims.abort is not set: set it to have aborts tried and judged.",
      ],
      [
        "normalise",
        true,
        "`normalise` gave a promise, which is not waited for: give the normalised arguments themselves.",
      ],
      [
        "malformed-input",
        true,
        `Some of what was passed to nextTurn, or of the log, is not of the documented form, and was left out or read as an empty text. The first: ${this.#malformed}. See \`ModelInput\` and \`LogEntry\`.`,
      ],
    ];
    const idle =
      approvals === "asked" ? [] : ([sessionGrants && "sessionGrants", budget === "resume" && "budget"] as const);
    return [
      ...hints.filter(([used, applies]) => applies && this.#used.has(used)).map(([, , sentence]) => sentence),
      ...idle.flatMap((name) =>
        name ? [`claims.${name} ${meaningless[name]}, but claims.approvals is "${approvals}": it says nothing.`] : [],
      ),
    ];
  }
}
