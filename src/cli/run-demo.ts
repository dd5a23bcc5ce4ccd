import { checkHarness } from "../check/check-harness.ts";
import { renderText } from "../report/render-text.ts";
import { embeddedHarness } from "./embedded-harness.ts";
import { ProgressLine } from "./progress-line.ts";
import { wantsColour } from "./show-report.ts";
import { print } from "./standard-output.ts";
import { watchProcess } from "./watch-process.ts";

/** `gatecrash demo`: a correct harness, then the same with one bug. Both come out as expected, or the demo fails. */
export async function runDemo(): Promise<number> {
  const { runsHiddenTools } = await import("../../fixtures/mutants/runs-hidden-tools.ts");
  const correct = await embeddedHarness();
  const progress = new ProgressLine();
  const release = watchProcess(() => progress.soFar);
  const options = { seed: 1, runs: 300, onProgress: progress.show.bind(progress) };
  const text = { colour: wantsColour(), command: null };
  try {
    const held = await checkHarness(correct, options);
    progress.clear();
    print(`A correct harness:\n\n${renderText(held, text)}\n\n`);
    const broken = await checkHarness(runsHiddenTools.harness, options);
    progress.clear();
    print(`The same harness with one bug, "${runsHiddenTools.id}":\n\n${renderText(broken, text)}\n`);
    const isFound = broken.rules.some((rule) => rule.id === runsHiddenTools.breaks && rule.verdict === "violated");
    return held.ok && isFound ? 0 : 1;
  } finally {
    progress.clear();
    release();
  }
}
