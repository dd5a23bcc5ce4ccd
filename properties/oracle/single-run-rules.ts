import type { Property } from "../../src/contract/property.ts";
import { approvalCoversOneCall } from "../approval-covers-one-call.ts";
import { askedToolsWaitForApproval } from "../asked-tools-wait-for-approval.ts";
import { badProposalsAreSurvived } from "../bad-proposals-are-survived.ts";
import { cutOffTurnsRunNothing } from "../cut-off-turns-run-nothing.ts";
import { deniedToolsNeverRun } from "../denied-tools-never-run.ts";
import { eachProposalRunsAtMostOnce } from "../each-proposal-runs-at-most-once.ts";
import { everyCallGetsOneResult } from "../every-call-gets-one-result.ts";
import { everyRunEnds } from "../every-run-ends.ts";
import { failuresAreNotReportedAsSuccess } from "../failures-are-not-reported-as-success.ts";
import { forgedApprovalChangesNothing } from "../forged-approval-changes-nothing.ts";
import { handlerFailuresAreContained } from "../handler-failures-are-contained.ts";
import { handlersGetTheProposedArguments } from "../handlers-get-the-proposed-arguments.ts";
import { honestCallsRun } from "../honest-calls-run.ts";
import { malformedProposalsRunNothing } from "../malformed-proposals-run-nothing.ts";
import { namesReachTheirOwnHandler } from "../names-reach-their-own-handler.ts";
import { neighboursChangeNoVerdict } from "../neighbours-change-no-verdict.ts";
import { oddBudgetsAreBounded } from "../odd-budgets-are-bounded.ts";
import { onlyOfferedToolsRun } from "../only-offered-tools-run.ts";
import { onlyValidArgumentsReachHandlers } from "../only-valid-arguments-reach-handlers.ts";
import { peopleAreAskedOnlyAboutRealCalls } from "../people-are-asked-only-about-real-calls.ts";
import { policiesReadTheRealArguments } from "../policies-read-the-real-arguments.ts";
import { refusalsLeakNoHiddenNames } from "../refusals-leak-no-hidden-names.ts";
import { stepsStayWithinBudget } from "../steps-stay-within-budget.ts";
import { theLogTellsTheTruth } from "../the-log-tells-the-truth.ts";
import { theMenuShowsWhatIsOffered } from "../the-menu-shows-what-is-offered.ts";
import { thePastDoesNotChange } from "../the-past-does-not-change.ts";
import { theRegistryStaysFixed } from "../the-registry-stays-fixed.ts";
import { toolOutputGrantsNothing } from "../tool-output-grants-nothing.ts";
import { undeclaredNamesReachNothing } from "../undeclared-names-reach-nothing.ts";

/**
 * The rules by which one run of several is judged, and the same run alone. Left out are those whose findings may be the
 * doing of a run beside it (a changed prototype), or depend on the time that the others take.
 */
export const singleRunRules: readonly Property[] = [
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
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  neighboursChangeNoVerdict,
  oddBudgetsAreBounded,
  onlyOfferedToolsRun,
  onlyValidArgumentsReachHandlers,
  peopleAreAskedOnlyAboutRealCalls,
  policiesReadTheRealArguments,
  refusalsLeakNoHiddenNames,
  stepsStayWithinBudget,
  theLogTellsTheTruth,
  theMenuShowsWhatIsOffered,
  thePastDoesNotChange,
  theRegistryStaysFixed,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
];
