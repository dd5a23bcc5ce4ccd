import type { Progress } from "../contract/check-options.ts";

/** One line on a terminal that tells how far a campaign is, and vanishes when it ends. Nothing where it is no terminal. */
export class ProgressLine {
  /** What was done until now, in words. */
  soFar = "nothing was played yet";
  private written = 0;

  show(progress: Progress): void {
    const { phase, scripts, of, findings, timeLeftMs } = progress;
    const found = `${findings} ${findings === 1 ? "finding" : "findings"}`;
    this.soFar = `${scripts.toLocaleString("en")} scripts played, ${found} so far`;
    const now = Date.now();
    if (!process.stderr.isTTY || now - this.written < 100) return;
    this.written = now;
    const left = `at most ${Math.max(0, Math.ceil(timeLeftMs / 1000))} s left`;
    const line = `${phase}: ${scripts.toLocaleString("en")} of ${of.toLocaleString("en")} scripts, ${found}, ${left}`;
    process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.written > 0) process.stderr.write("\r\u001b[2K");
    this.written = 0;
  }
}
