import type { Simplification } from "./simplification.ts";
import { withLessCompany, withoutIncidents, withPlainCompany } from "./simplify-company.ts";
import { withPlainHandlers } from "./simplify-handlers.ts";
import { withPlainProposals } from "./simplify-proposals.ts";
import {
  withLastTurnRepeated,
  withOneProposalPerTurn,
  withoutProposals,
  withoutTurns,
  withoutWhatFollows,
  withPlainStops,
} from "./simplify-turns.ts";
import { withSmallerWorld } from "./simplify-world.ts";

/** In the order in which they are tried. A harness's own world is never changed. */
export function simplificationsFor(worldIsFixed: boolean): readonly Simplification[] {
  return [
    withoutWhatFollows,
    withoutTurns,
    withoutProposals,
    withLessCompany,
    withoutIncidents,
    withPlainHandlers,
    withPlainProposals,
    withPlainStops,
    withPlainCompany,
    ...(worldIsFixed ? [] : [withSmallerWorld]),
    withLastTurnRepeated,
    withOneProposalPerTurn,
  ];
}
