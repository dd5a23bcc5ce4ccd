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
  const before = ownLinesOf(script.before ?? [], classes.slice(first), first, "earlier, on the same harness:");
  const taken = first + (script.before ?? []).reduce((size, other) => size + sizeOf(other), 0);
  const beside = ownLinesOf(script.beside ?? [], classes.slice(taken), taken, "side by side, on the same harness:");
  const lines = [
    ...worldLines(script, alsoNamed),
    ...before,
    ...turnLines(script, classes, 0),
    ...outsideLines(script),
    ...beside,
  ];
  return lines.length <= 100 ? lines : [...lines.slice(0, 100), `... ${counted(lines.length - 100, "more line")} ...`];
}

function ownLinesOf(
  scripts: readonly Script[],
  classes: readonly string[],
  from: number,
  heading: string,
): readonly string[] {
  let taken = 0;
  return scripts.flatMap((script) => {
    const lines = [...turnLines(script, classes.slice(taken), from + taken), ...outsideLines(script)];
    taken += sizeOf(script);
    return [heading, ...lines.map((line) => `  ${line}`)];
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
  const { abort, schedule } = script;
  return [
    ...handlers,
    ...human,
    ...(abort === undefined ? [] : [`the signal aborts during ${abort.during} ${abort.at + 1}`]),
    ...(script.modelEditsInput === true ? ["the model edits what it was shown"] : []),
    ...(schedule === undefined ? [] : [`the runs take turns: ${schedule.slice(0, 40).join(" ")}`]),
  ];
}
