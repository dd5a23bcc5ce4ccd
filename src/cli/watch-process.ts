import { describedValue } from "../contract/described-value.ts";
import { holdOutput, isFinished } from "./standard-output.ts";

/**
 * Keeps the process honest while foreign code runs in it: what the harness prints goes to the standard error, a harness
 * that ends the process does not end it green, and an interruption says how far it came.
 *
 * @param soFar what was done until now, in words.
 * @returns a function that ends the watch.
 */
export function watchProcess(soFar: () => string): () => void {
  const releaseOutput = holdOutput();
  const onInterrupt = () => {
    process.stderr.write(`\nInterrupted: ${soFar()}.\n`);
    process.off("exit", onExit);
    // The listener stays until the end: a second interruption would kill the process before it says 130.
    process.exit(130);
  };
  const onExit = () => {
    if (isFinished()) return;
    process.stderr.write(
      `The process ended before the check did (${soFar()}): the harness ended it, or waits for nothing.\n`,
    );
    process.exitCode = 3;
  };
  const onUncaught = (error: unknown) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : describedValue(error);
    process.stderr.write(`The harness threw outside of any run (${soFar()}): ${message}\n`);
    release();
    process.exit(3);
  };
  const release = () => {
    releaseOutput();
    process.off("SIGINT", onInterrupt);
    process.off("exit", onExit);
    process.off("uncaughtException", onUncaught);
  };
  process.on("SIGINT", onInterrupt);
  process.on("exit", onExit);
  process.on("uncaughtException", onUncaught);
  return release;
}
