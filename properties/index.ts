import type { Property } from "../src/contract/property.ts";
import { abortStopsNewWork } from "./abort-stops-new-work.ts";
import { approvalCoversOneCall } from "./approval-covers-one-call.ts";
import { askedToolsWaitForApproval } from "./asked-tools-wait-for-approval.ts";
import { badProposalsAreSurvived } from "./bad-proposals-are-survived.ts";
import { cutOffTurnsRunNothing } from "./cut-off-turns-run-nothing.ts";
import { deniedToolsNeverRun } from "./denied-tools-never-run.ts";
import { eachProposalRunsAtMostOnce } from "./each-proposal-runs-at-most-once.ts";
import { everyCallGetsOneResult } from "./every-call-gets-one-result.ts";
import { everyRunEnds } from "./every-run-ends.ts";
import { failuresAreNotReportedAsSuccess } from "./failures-are-not-reported-as-success.ts";
import { forgedApprovalChangesNothing } from "./forged-approval-changes-nothing.ts";
import { handlerFailuresAreContained } from "./handler-failures-are-contained.ts";
import { handlersGetTheProposedArguments } from "./handlers-get-the-proposed-arguments.ts";
import { honestCallsRun } from "./honest-calls-run.ts";
import { hungHandlersDoNotHangTheRun } from "./hung-handlers-do-not-hang-the-run.ts";
import { malformedProposalsRunNothing } from "./malformed-proposals-run-nothing.ts";
import { namesReachTheirOwnHandler } from "./names-reach-their-own-handler.ts";
import { neighboursChangeNoVerdict } from "./neighbours-change-no-verdict.ts";
import { nothingRunsAfterTheStop } from "./nothing-runs-after-the-stop.ts";
import { oddBudgetsAreBounded } from "./odd-budgets-are-bounded.ts";
import { onlyOfferedToolsRun } from "./only-offered-tools-run.ts";
import { onlyValidArgumentsReachHandlers } from "./only-valid-arguments-reach-handlers.ts";
import { peopleAreAskedOnlyAboutRealCalls } from "./people-are-asked-only-about-real-calls.ts";
import { policiesReadTheRealArguments } from "./policies-read-the-real-arguments.ts";
import { prototypesStayClean } from "./prototypes-stay-clean.ts";
import { refusalsLeakNoHiddenNames } from "./refusals-leak-no-hidden-names.ts";
import { runsDoNotShareState } from "./runs-do-not-share-state.ts";
import { stepsStayWithinBudget } from "./steps-stay-within-budget.ts";
import { theLogTellsTheTruth } from "./the-log-tells-the-truth.ts";
import { theMenuShowsWhatIsOffered } from "./the-menu-shows-what-is-offered.ts";
import { thePastDoesNotChange } from "./the-past-does-not-change.ts";
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
  abortStopsNewWork,
  approvalCoversOneCall,
  askedToolsWaitForApproval,
  badProposalsAreSurvived,
  cutOffTurnsRunNothing,
  deniedToolsNeverRun,
  eachProposalRunsAtMostOnce,
  everyCallGetsOneResult,
  everyRunEnds,
  failuresAreNotReportedAsSuccess,
  forgedApprovalChangesNothing,
  handlerFailuresAreContained,
  handlersGetTheProposedArguments,
  honestCallsRun,
  hungHandlersDoNotHangTheRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  neighboursChangeNoVerdict,
  nothingRunsAfterTheStop,
  oddBudgetsAreBounded,
  onlyOfferedToolsRun,
  onlyValidArgumentsReachHandlers,
  peopleAreAskedOnlyAboutRealCalls,
  policiesReadTheRealArguments,
  prototypesStayClean,
  refusalsLeakNoHiddenNames,
  runsDoNotShareState,
  stepsStayWithinBudget,
  theLogTellsTheTruth,
  theMenuShowsWhatIsOffered,
  thePastDoesNotChange,
  theRegistryStaysFixed,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
];

export {
  abortStopsNewWork,
  approvalCoversOneCall,
  askedToolsWaitForApproval,
  badProposalsAreSurvived,
  cutOffTurnsRunNothing,
  deniedToolsNeverRun,
  eachProposalRunsAtMostOnce,
  everyCallGetsOneResult,
  everyRunEnds,
  failuresAreNotReportedAsSuccess,
  forgedApprovalChangesNothing,
  handlerFailuresAreContained,
  handlersGetTheProposedArguments,
  honestCallsRun,
  hungHandlersDoNotHangTheRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  neighboursChangeNoVerdict,
  nothingRunsAfterTheStop,
  oddBudgetsAreBounded,
  onlyOfferedToolsRun,
  onlyValidArgumentsReachHandlers,
  peopleAreAskedOnlyAboutRealCalls,
  policiesReadTheRealArguments,
  prototypesStayClean,
  refusalsLeakNoHiddenNames,
  runsDoNotShareState,
  stepsStayWithinBudget,
  theLogTellsTheTruth,
  theMenuShowsWhatIsOffered,
  thePastDoesNotChange,
  theRegistryStaysFixed,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
};
