import type { EventOf, Trace } from "../contract/trace.ts";

/** A hint is worth giving once this part of the runs came to nothing. */
const most = 0.5;

/** How the runs of a campaign ended: what a user with a broken harness file needs to know first. */
export class RunTally {
  hung = 0;
  private runs = 0;
  private silent = 0;
  private readonly early = { hung: 0, crashed: 0 };
  private firstCrash: EventOf<"crashed"> | undefined;

  add(trace: Trace): void {
    this.runs += 1;
    const end = trace.findLast((event) => event.type === "ended" || event.type === "crashed" || event.type === "hung");
    if (end?.type === "hung") this.hung += 1;
    if (trace.some((event) => event.type === "asked")) return;
    if (end?.type === "hung") this.early.hung += 1;
    else if (end?.type === "crashed") {
      this.early.crashed += 1;
      this.firstCrash ??= end;
    } else this.silent += 1;
  }

  hints(): readonly string[] {
    const { early, firstCrash, runs, silent } = this;
    const hints: string[] = [];
    if (firstCrash !== undefined && early.crashed >= runs * most) {
      const { name, message, stack } = firstCrash;
      const place = stack
        ?.split("\n")
        .find((line) => /^\s+at /.test(line))
        ?.trim();
      hints.push(
        `${part(early.crashed, runs)} crashed before the first turn was asked for: ${name}: ${message}${place === undefined ? "" : ` (${place})`}.`,
      );
    }
    if (early.hung >= runs * most) hints.push(`${part(early.hung, runs)} hung before the first turn was asked for.`);
    if (silent >= runs * most)
      hints.push(`${part(silent, runs)} ended without asking for a turn: is \`nextTurn\` called?`);
    return runs === 0 ? [] : hints;
  }
}

function part(count: number, of: number): string {
  return count === of ? `All ${of} runs` : `${count} of ${of} runs`;
}
