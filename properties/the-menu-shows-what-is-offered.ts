import type { Property } from "../src/contract/property.ts";
import type { EventOf } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { findTool } from "../src/world/world.ts";
import { offersOf } from "./oracle/offers.ts";
import { tellingsOf } from "./oracle/result-tellings.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The tools that the model is shown before each turn. A tool that it need not know of tempts it and costs tokens; one that it
 * may use and does not see is lost. Harnesses get this wrong where the list is made once, before any skill is loaded, or from
 * all that was declared.
 *
 * **Rule** The tools shown to the model at a step are exactly those offered.
 *
 * **Holds when** each menu has every offered tool and no hidden one. Names that no tool declares (a loader of skills, an answer)
 * are the harness's own; menus without a single name, before a turn that it does not act on, are no menus.
 *
 * **Often broken by** a menu that is made once at the start, or a filter that is applied when a call comes and not before.
 *
 * @example
 * // "refund" comes with the skill "refunds"; turn 1 loads that skill
 * // violated where the menu before turn 1 has "refund", or where that before turn 2 has it not
 */
export const theMenuShowsWhatIsOffered: Property = ofUntampered({
  id: "the-menu-shows-what-is-offered",
  level: "should",
  rule: "The tools shown to the model at a step are exactly those offered.",
  holdsWhen: "each menu has every offered tool and no hidden one",
  oftenBrokenBy: "a menu that is made once at the start, or from everything that was declared",
  needs({ menu, hiddenTools }) {
    if (menu !== true) return "a menu is not claimed";
    return hiddenTools === "none" ? "hidden tools are not claimed" : undefined;
  },
  judge(evidence) {
    const { trace, world } = evidence;
    if (world.tools.every(({ offered }) => offered === "always")) return { kind: "holds", exercised: false };
    const offers = offersOf(evidence);
    const { actedOn } = tellingsOf(evidence);
    const violations: Violation[] = [];
    let exercised = false;
    for (const [at, event] of trace.entries()) {
      if (event.type !== "asked" || event.late || event.menu === undefined) continue;
      if (event.menu.length === 0 && !actedOn.has(event.step)) continue;
      exercised = true;
      const shown = namesOn(event);
      for (const tool of world.tools) {
        const name = `"${tool.name}"`;
        if (shown.has(tool.name) && offers.isSurelyHidden(tool, event.step)) {
          const words = `${name} stood on the menu ${inTurn(event.step)}, though it was not offered.`;
          violations.push(violated(at, "hidden-on-menu", words));
        }
        if (!shown.has(tool.name) && offers.isSurelyOffered(tool, event.step)) {
          const words = `${name} did not stand on the menu ${inTurn(event.step)}, though it was offered.`;
          violations.push(violated(at, "offered-not-on-menu", words));
        }
      }
    }
    return verdictOf(violations, exercised);

    /** By the names that they were declared under. */
    function namesOn({ menu = [], spelledAs = {} }: EventOf<"asked">): ReadonlySet<string> {
      return new Set(
        menu.map((shown) => {
          const spelled = Object.hasOwn(spelledAs, shown) ? spelledAs[shown] : undefined;
          return spelled !== undefined && findTool(world, spelled) !== undefined ? spelled : shown;
        }),
      );
    }
  },
});
