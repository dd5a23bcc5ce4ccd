/** The real standard output, before anything is held back. */
const write = process.stdout.write.bind(process.stdout);

let closed = false;

// A reader that left early (`| head`) is no failure, and what the harness writes must not turn it into one.
process.stdout.on("error", () => {
  closed = true;
});
process.stderr.on("error", () => {});

/** Writes to the standard output, which carries the report and nothing else. */
export function print(text: string): void {
  if (!closed) write(text);
}

/**
 * From now on what the harness prints goes to the standard error, so that a program can read the report.
 *
 * @returns a function that ends it.
 */
export function holdOutput(): () => void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return () => {
    process.stdout.write = write;
  };
}

/** Ends the process once all is written, whatever timers and servers the harness left open. */
export async function finish(code: number): Promise<never> {
  finished = true;
  if (!closed) {
    await new Promise<void>((resolve) => {
      process.stdout.once("error", () => resolve());
      write("", () => resolve());
    });
  }
  process.exit(code);
}

let finished = false;

/** Whether the command came to its end by itself. */
export function isFinished(): boolean {
  return finished;
}
