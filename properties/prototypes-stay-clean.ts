import type { Property } from "../src/contract/property.ts";
import type { Proposal } from "../src/contract/turn.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The prototypes that every object in the process shares. Harnesses get this wrong where they merge the model's arguments
 * into an object of their own key by key, or keep results and tools in a plain object under names that the model chose:
 * `__proto__` and `constructor` then lead to what everything inherits from.
 *
 * **Rule** No run changes a global prototype.
 *
 * **Holds when** after the run every built-in prototype, and `Object` and `Function`, have the keys and values they had before.
 *
 * **Often broken by** a recursive merge; `registry[name][key] = value`; setting a path such as `a.b.c` that came from the model.
 *
 * @example
 * // proposed: { ..., "name": "look_up", "args": "{\"__proto__\":{\"role\":\"admin\"}}" }
 * // violated where `({}).role` is "admin" afterwards
 */
export const prototypesStayClean: Property = ofUntampered({
  id: "prototypes-stay-clean",
  level: "must",
  rule: "No run changes a global prototype.",
  holdsWhen: "the built-in prototypes are as they were before the run",
  oftenBrokenBy: "a recursive merge of the model's arguments, or a plain object keyed by names that the model chose",
  needs: (_, shape) => (shape.sameProcess === false ? "the harness runs in another process" : undefined),
  judge({ trace }) {
    const violations = trace.flatMap((event, at) => {
      if (event.type !== "global-changed") return [];
      const because = `${inPlace(event.where, event.key)} was changed by the run ${inTurn(event.step)} or before.`;
      return violated(at, `changed-${event.where.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`, because);
    });
    return verdictOf(
      violations,
      trace.some((event) => event.type === "proposed" && isTempting(event.proposal)),
    );
  },
});

function inPlace(where: string, key: string): string {
  return `"${key}" on "${where}"`;
}

const waysIn = /__proto__|constructor|prototype/;

/** Something in the proposal leads to a prototype where it is used as a key. */
function isTempting(proposal: Proposal): boolean {
  if (proposal.kind === "text") return false;
  if (waysIn.test(proposal.callId)) return true;
  if (proposal.kind === "load-skill") return waysIn.test(proposal.skill);
  if (waysIn.test(proposal.name) || waysIn.test(proposal.args)) return true;
  return proposal.extra !== undefined && Object.keys(proposal.extra).some((key) => waysIn.test(key));
}
