import { proposalsOf, type Script, sizeOf } from "../contract/script.ts";
import { isModelFailure, type ModelFailure, type Turn } from "../contract/turn.ts";
import { behaviourWords } from "./behaviour-words.ts";
import { proposalWords } from "./proposal-words.ts";
import { counted, listed, quoted } from "./visible-text.ts";
import { worldLines } from "./world-lines.ts";

/**
 * A script as people read it: the world, then every proposal numbered and tagged with its class, then what the handlers
 * and the human do. `classes` are those of the script's own proposals, then of the runs before and beside it.
 */
export function scriptLines(
  script: Script,
  classes: readonly string[] = [],
  alsoNamed: readonly string[] = [],
): readonly string[] {
  const first = proposalsOf(script).length;
  const before = ownLinesOf(script.before ?? [], classes.slice(first), first, () => "earlier, on the same harness:");
  const taken = first + (script.before ?? []).reduce((size, other) => size + sizeOf(other), 0);
  const count = script.beside?.length ?? 0;
  const headingAt = (index: number) =>
    `side by side, on the same harness${count > 1 ? ` (${runName(index + 1, count)})` : ""}:`;
  const beside = ownLinesOf(script.beside ?? [], classes.slice(taken), taken, headingAt);
  const own = [...turnLines(script, classes, 0), ...outsideLines(script)];
  const hasCompany = before.length + beside.length > 0;
  const lines = [
    ...worldLines(script, alsoNamed),
    ...before,
    ...(hasCompany ? ["the run that is judged:", ...own.map((line) => `  ${line}`)] : own),
    ...beside,
    ...scheduleLines(script),
  ];
  return lines.length <= 100 ? lines : [...lines.slice(0, 100), `... ${counted(lines.length - 100, "more line")} ...`];
}

function ownLinesOf(
  scripts: readonly Script[],
  classes: readonly string[],
  from: number,
  headingAt: (index: number) => string,
): readonly string[] {
  let taken = 0;
  return scripts.flatMap((script, index) => {
    const lines = [...turnLines(script, classes.slice(taken), from + taken), ...outsideLines(script)];
    taken += sizeOf(script);
    if (lines.length === 0) lines.push("the model proposes nothing");
    return [headingAt(index), ...lines.map((line) => `  ${line}`)];
  });
}

/** Numbered from `from`; call ids are shown where they are not the usual ones, or come twice. */
function turnLines(script: Script, classes: readonly string[], from: number): readonly string[] {
  const ids = proposalsOf(script).flatMap((proposal) => ("callId" in proposal ? [proposal.callId] : []));
  const odd = (id: string) => !/^call-\d+$/.test(id) || ids.indexOf(id) !== ids.lastIndexOf(id);
  let index = 0;
  const lines = script.turns.flatMap((turn, position) => {
    if (isModelFailure(turn)) return [`the model's request fails: ${turn.failure}`];
    const proposals = turn.proposals.map((proposal) => {
      const words = proposalWords(proposal, "callId" in proposal && odd(proposal.callId));
      const line = tagged(`  ${from + index + 1}. ${words}`, classes[index]);
      index += 1;
      return line;
    });
    return [`turn ${position + 1 - failuresBefore(script.turns, position)}${stopWords(turn)}`, ...proposals];
  });
  return script.afterTurns === "repeat-last" ? [...lines, "then the last turn again, for ever"] : lines;
}

function failuresBefore(turns: readonly (Turn | ModelFailure)[], position: number): number {
  return turns.slice(0, position).filter(isModelFailure).length;
}

function stopWords(turn: Turn): string {
  const stop = { length: ", cut off by length", end: ", the model's last", "tool-calls": "" }[turn.stop];
  return turn.proposals.length === 0 ? `${stop}, empty` : `${stop}:`;
}

/** What is of no class is tagged in a report by its kind, which the line says anyway. */
const kinds: readonly (string | undefined)[] = ["tool-call", "load-skill", "text"];

function tagged(line: string, tag: string | undefined): string {
  return tag === undefined || kinds.includes(tag) ? line : `${line.padEnd(60)}  [${tag}]`;
}

/** What the handlers, the human, the signal and the model's own code do. */
function outsideLines(script: Script): readonly string[] {
  const handlers = Object.entries(script.handlers)
    .filter(([, behaviours]) => behaviours.length > 0)
    .map(([tool, behaviours]) => `the handler of ${quoted(tool)} ${behaviours.map(behaviourWords).join(", then ")}`);
  const human = script.decisions.length === 0 ? [] : [`the human answers: ${listed(script.decisions, "then")}`];
  const { abort } = script;
  return [
    ...handlers,
    ...human,
    ...(abort === undefined ? [] : [`the signal aborts during ${abort.during} ${abort.at + 1}`]),
    ...(script.modelEditsInput === true ? ["the model edits what it was shown"] : []),
  ];
}

function scheduleLines({ beside = [], schedule = [] }: Script): readonly string[] {
  if (schedule.length === 0) return [];
  const names = schedule.slice(0, 12).map((run) => runName(run % (beside.length + 1), beside.length));
  const more = schedule.length > 12 ? " and so on" : "";
  return [`the model answers them in this order: ${names.join(", ")}${more}`];
}

/** Runs that go side by side are counted from the one that is judged. */
function runName(index: number, others: number): string {
  if (index === 0) return "the judged run";
  return others === 1 ? "the other" : `run ${index + 1}`;
}
