export { describeHarness } from "./describe-harness.ts";
