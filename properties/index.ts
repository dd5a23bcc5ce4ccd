import type { Property } from "../src/contract/property.ts";
import { askedToolsWaitForApproval } from "./asked-tools-wait-for-approval.ts";
import { badProposalsAreSurvived } from "./bad-proposals-are-survived.ts";
import { cutOffTurnsRunNothing } from "./cut-off-turns-run-nothing.ts";
import { deniedToolsNeverRun } from "./denied-tools-never-run.ts";
import { eachProposalRunsAtMostOnce } from "./each-proposal-runs-at-most-once.ts";
import { everyRunEnds } from "./every-run-ends.ts";
import { forgedApprovalChangesNothing } from "./forged-approval-changes-nothing.ts";
import { handlerFailuresAreContained } from "./handler-failures-are-contained.ts";
import { handlersGetTheProposedArguments } from "./handlers-get-the-proposed-arguments.ts";
import { honestCallsRun } from "./honest-calls-run.ts";
import { malformedProposalsRunNothing } from "./malformed-proposals-run-nothing.ts";
import { namesReachTheirOwnHandler } from "./names-reach-their-own-handler.ts";
import { nothingRunsAfterTheStop } from "./nothing-runs-after-the-stop.ts";
import { oddBudgetsAreBounded } from "./odd-budgets-are-bounded.ts";
import { onlyOfferedToolsRun } from "./only-offered-tools-run.ts";
import { onlyValidArgumentsReachHandlers } from "./only-valid-arguments-reach-handlers.ts";
import { policiesReadTheRealArguments } from "./policies-read-the-real-arguments.ts";
import { prototypesStayClean } from "./prototypes-stay-clean.ts";
import { stepsStayWithinBudget } from "./steps-stay-within-budget.ts";
import { theRegistryStaysFixed } from "./the-registry-stays-fixed.ts";
import { toolOutputGrantsNothing } from "./tool-output-grants-nothing.ts";
import { undeclaredNamesReachNothing } from "./undeclared-names-reach-nothing.ts";

/**
 * Every rule of the contract, by id.
 *
 * @example
 * catalogue.map((property) => property.id) // ["asked-tools-wait-for-approval", ...]
 */
export const catalogue: readonly Property[] = [
  askedToolsWaitForApproval,
  badProposalsAreSurvived,
  cutOffTurnsRunNothing,
  deniedToolsNeverRun,
  eachProposalRunsAtMostOnce,
  everyRunEnds,
  forgedApprovalChangesNothing,
  handlerFailuresAreContained,
  handlersGetTheProposedArguments,
  honestCallsRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  nothingRunsAfterTheStop,
  oddBudgetsAreBounded,
  onlyOfferedToolsRun,
  onlyValidArgumentsReachHandlers,
  policiesReadTheRealArguments,
  prototypesStayClean,
  stepsStayWithinBudget,
  theRegistryStaysFixed,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
];

export {
  askedToolsWaitForApproval,
  badProposalsAreSurvived,
  cutOffTurnsRunNothing,
  deniedToolsNeverRun,
  eachProposalRunsAtMostOnce,
  everyRunEnds,
  forgedApprovalChangesNothing,
  handlerFailuresAreContained,
  handlersGetTheProposedArguments,
  honestCallsRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  nothingRunsAfterTheStop,
  oddBudgetsAreBounded,
  onlyOfferedToolsRun,
  onlyValidArgumentsReachHandlers,
  policiesReadTheRealArguments,
  prototypesStayClean,
  stepsStayWithinBudget,
  theRegistryStaysFixed,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
};
