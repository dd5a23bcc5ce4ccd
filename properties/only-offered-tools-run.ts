import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { isGateProbe } from "./oracle/gate-probes.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Tools that are not on the menu: hidden ones, inactive ones, and those that come with a skill not yet loaded. A harness
 * that only leaves them out of the menu, and looks every name up in the full registry, runs them for any model that knows
 * or guesses the name.
 *
 * **Rule** A handler runs only if its tool was offered at that step.
 *
 * **Holds when** no effect belongs to a tool that was hidden when it was proposed; a load later in the same turn, or of an
 * unknown skill, offers nothing.
 *
 * **Often broken by** looking names up in all declared tools; treating any load as a load of every skill.
 *
 * @example
 * // "purge_account" is never offered
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "purge_account", "args": "{}" }
 * // violated where its handler starts
 */
export const onlyOfferedToolsRun: Property = ofUntampered({
  id: "only-offered-tools-run",
  level: "must",
  rule: "A handler runs only if its tool was offered at that step.",
  holdsWhen: "no effect belongs to a tool that was hidden when it was proposed",
  oftenBrokenBy: "a lookup in all declared tools, so that hiding a tool only takes it off the menu",
  needs: (claims) => (claims.hiddenTools === "none" ? "hidden tools are not claimed" : undefined),
  judge(evidence) {
    const { credits, calls } = licencesOf(evidence);
    const violations = credits.flatMap(({ at, effect, reason }) => {
      if (reason !== "not-offered") return [];
      const offered = evidence.world.tools.find((tool) => tool.name === effect.tool)?.offered;
      return typeof offered === "object"
        ? violated(
            at,
            "skill-not-loaded",
            `"${effect.tool}" ran ${inTurn(effect.step)}, but it is offered only after the skill "${offered.afterSkill}" was loaded, and it was not.`,
          )
        : violated(
            at,
            "hidden-tool",
            `"${effect.tool}" ran ${inTurn(effect.step)}, but it is a hidden tool: it was never offered.`,
          );
    });
    return verdictOf(
      violations,
      calls.some((call) => isGateProbe(call, "not-offered")),
    );
  },
});
