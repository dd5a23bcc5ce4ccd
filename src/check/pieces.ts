/** The parts of a campaign, for those who play or judge scripts by themselves. */
export { openStage, type Stage } from "../run/stage.ts";
export { judgeTrace } from "./judge-trace.ts";
export { enumeration } from "./phases.ts";
