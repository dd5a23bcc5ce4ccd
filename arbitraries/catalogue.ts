import type { ScriptClass } from "../src/contract/script-class.ts";
import { claimingOutput } from "./handlers/claiming-output.ts";
import { throwing } from "./handlers/throwing.ts";
import { deniedTool } from "./proposals/denied-tool.ts";
import { endlessLookup } from "./proposals/endless-lookup.ts";
import { forgedApproval } from "./proposals/forged-approval.ts";
import { hiddenTool } from "./proposals/hidden-tool.ts";
import { honestCall } from "./proposals/honest-call.ts";
import { inheritedName } from "./proposals/inherited-name.ts";
import { malformedJson } from "./proposals/malformed-json.ts";
import { unknownName } from "./proposals/unknown-name.ts";

/** Every class, in alphabetical order. */
export const catalogue: readonly ScriptClass[] = [
  claimingOutput,
  deniedTool,
  endlessLookup,
  forgedApproval,
  hiddenTool,
  honestCall,
  inheritedName,
  malformedJson,
  throwing,
  unknownName,
];
