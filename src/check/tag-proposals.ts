import type { Harness } from "../contract/harness.ts";
import { everyRunOf, type Script } from "../contract/script.ts";
import { isModelFailure } from "../contract/turn.ts";
import { classes } from "./catalogues.ts";
import { refusing } from "./refusing.ts";

/** The proposal class of each proposal of a script, then of the runs before and beside it: how a report tags its lines. */
export function tagProposals(script: Script, harness: Harness): readonly string[] {
  return everyRunOf(script).flatMap((run) => tagsOf(run, harness));
}

function tagsOf(script: Script, harness: Harness): readonly string[] {
  const loaded = new Set<string>();
  const setting = {
    world: script.world,
    claims: harness.claims,
    shape: harness.shape ?? {},
    loaded,
    ...refusing(harness),
  };
  const tags: string[] = [];
  for (const turn of script.turns) {
    if (isModelFailure(turn)) continue;
    for (const proposal of turn.proposals) {
      const own = classes.find((entry) => entry.kind === "proposal" && entry.isOne(proposal, setting));
      tags.push(own?.id ?? proposal.kind);
    }
    for (const proposal of turn.proposals) {
      if (proposal.kind === "load-skill" && script.world.skills.includes(proposal.skill)) loaded.add(proposal.skill);
    }
  }
  return tags;
}
