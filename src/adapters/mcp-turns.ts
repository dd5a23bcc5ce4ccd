import type { Outcome, TestRun } from "../contract/harness.ts";
import { madeByHelper } from "../contract/helper-input.ts";
import type { ToolResult } from "../contract/run-record.ts";
import type { LoadSkill, ToolCall } from "../contract/turn.ts";
import { turnsAllowed } from "../world/budget.ts";

/** One run's connection with a server, as the loop around it sees it. */
export interface McpConversation {
  /** What the server lists just now; left out where nobody is to be told. */
  menu?(): Promise<readonly string[]>;
  /** Sends the calls of one turn, and gives what came back for each. `undefined`: the run was aborted meanwhile. */
  answer(calls: readonly (ToolCall | LoadSkill)[]): Promise<readonly ToolResult[] | undefined>;
}

/**
 * The loop around a server: a server has none of its own. It hands every call of a turn over and asks for the next one, until
 * a turn has no calls or the budget is used up. It refuses nothing: that is the server's work.
 */
export async function playTurns(run: TestRun, { menu, answer }: McpConversation): Promise<Outcome> {
  let results: readonly ToolResult[] = [];
  for (let step = 0; step < turnsAllowed(run.maxSteps); step += 1) {
    const shown = menu === undefined ? {} : { menu: await menu() };
    const turn = await run.nextTurn(madeByHelper({ results, ...shown }));
    const calls = turn.proposals.filter((proposal) => proposal.kind !== "text");
    if (calls.length === 0) return { status: "answered" };
    const answers = await answer(calls);
    if (answers === undefined) return { status: "aborted" };
    results = answers;
  }
  return { status: "out-of-steps" };
}
