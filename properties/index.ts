import type { Property } from "../src/contract/property.ts";
import { askedToolsWaitForApproval } from "./asked-tools-wait-for-approval.ts";
import { badProposalsAreSurvived } from "./bad-proposals-are-survived.ts";
import { deniedToolsNeverRun } from "./denied-tools-never-run.ts";
import { forgedApprovalChangesNothing } from "./forged-approval-changes-nothing.ts";
import { honestCallsRun } from "./honest-calls-run.ts";
import { malformedProposalsRunNothing } from "./malformed-proposals-run-nothing.ts";
import { namesReachTheirOwnHandler } from "./names-reach-their-own-handler.ts";
import { onlyOfferedToolsRun } from "./only-offered-tools-run.ts";
import { stepsStayWithinBudget } from "./steps-stay-within-budget.ts";
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
  deniedToolsNeverRun,
  forgedApprovalChangesNothing,
  honestCallsRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  onlyOfferedToolsRun,
  stepsStayWithinBudget,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
];

export {
  askedToolsWaitForApproval,
  badProposalsAreSurvived,
  deniedToolsNeverRun,
  forgedApprovalChangesNothing,
  honestCallsRun,
  malformedProposalsRunNothing,
  namesReachTheirOwnHandler,
  onlyOfferedToolsRun,
  stepsStayWithinBudget,
  toolOutputGrantsNothing,
  undeclaredNamesReachNothing,
};
