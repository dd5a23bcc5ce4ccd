export { describeHarness } from "./describe-harness.ts";
export { type ReplacedTool, replaceTools } from "./replace-tools.ts";
