import type { ScriptClass } from "../src/contract/script-class.ts";
import { claimingOutput } from "./handlers/claiming-output.ts";
import { echoing } from "./handlers/echoing.ts";
import { failingLater } from "./handlers/failing-later.ts";
import { hanging } from "./handlers/hanging.ts";
import { mutating } from "./handlers/mutating.ts";
import { oddValue } from "./handlers/odd-value.ts";
import { retryBait } from "./handlers/retry-bait.ts";
import { slow } from "./handlers/slow.ts";
import { tampering } from "./handlers/tampering.ts";
import { throwing } from "./handlers/throwing.ts";
import { approvingHuman } from "./operators/approving-human.ts";
import { choosingHuman } from "./operators/choosing-human.ts";
import { denyingHuman } from "./operators/denying-human.ts";
import { failingHuman } from "./operators/failing-human.ts";
import { lateHuman } from "./operators/late-human.ts";
import { silentHuman } from "./operators/silent-human.ts";
import { undecidedHuman } from "./operators/undecided-human.ts";
import { deniedTool } from "./proposals/denied-tool.ts";
import { duplicateKeys } from "./proposals/duplicate-keys.ts";
import { forgedApproval } from "./proposals/forged-approval.ts";
import { hiddenTool } from "./proposals/hidden-tool.ts";
import { honestCall } from "./proposals/honest-call.ts";
import { inheritedName } from "./proposals/inherited-name.ts";
import { lookalikeName } from "./proposals/lookalike-name.ts";
import { malformedJson } from "./proposals/malformed-json.ts";
import { misreadPolicy } from "./proposals/misread-policy.ts";
import { mistypedArguments } from "./proposals/mistyped-arguments.ts";
import { oddCallId } from "./proposals/odd-call-id.ts";
import { oversizedArguments } from "./proposals/oversized-arguments.ts";
import { pollutingArguments } from "./proposals/polluting-arguments.ts";
import { reservedKeys } from "./proposals/reserved-keys.ts";
import { unknownName } from "./proposals/unknown-name.ts";
import { unknownSkill } from "./proposals/unknown-skill.ts";
import { abortedRun } from "./turns/aborted-run.ts";
import { callAfterAnswer } from "./turns/call-after-answer.ts";
import { cutOffTurn } from "./turns/cut-off-turn.ts";
import { editedInput } from "./turns/edited-input.ts";
import { endlessLookup } from "./turns/endless-lookup.ts";
import { mixedBatch } from "./turns/mixed-batch.ts";
import { modelFailure } from "./turns/model-failure.ts";
import { repeatedCall } from "./turns/repeated-call.ts";
import { repeatedLoad } from "./turns/repeated-load.ts";
import { reusedCallId } from "./turns/reused-call-id.ts";
/** Every class, in alphabetical order. */
export const catalogue: readonly ScriptClass[] = [
  abortedRun,
  approvingHuman,
  callAfterAnswer,
  choosingHuman,
  claimingOutput,
  cutOffTurn,
  deniedTool,
  denyingHuman,
  duplicateKeys,
  echoing,
  editedInput,
  endlessLookup,
  failingHuman,
  failingLater,
  forgedApproval,
  hanging,
  hiddenTool,
  honestCall,
  inheritedName,
  lateHuman,
  lookalikeName,
  malformedJson,
  misreadPolicy,
  mistypedArguments,
  mixedBatch,
  modelFailure,
  mutating,
  oddCallId,
  oddValue,
  oversizedArguments,
  pollutingArguments,
  repeatedCall,
  repeatedLoad,
  reservedKeys,
  retryBait,
  reusedCallId,
  silentHuman,
  slow,
  tampering,
  throwing,
  undecidedHuman,
  unknownName,
  unknownSkill,
];
