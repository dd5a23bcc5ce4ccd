import { type Behaviour, harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { Script } from "../../src/contract/script.ts";
import { type Json, sameJson } from "../../src/world/json.ts";

/** What the model, or the harness, is told by this behaviour; `undefined` where it says nothing of its own. */
export function saidBy(behaviour: Behaviour, args: Json): Json | undefined {
  if (behaviour.kind === "echo") return args;
  if (behaviour.kind === "throw" || behaviour.kind === "effect-then-throw") return behaviour.message;
  const speaks = behaviour.kind === "return" || behaviour.kind === "slow";
  return speaks && !sameJson(behaviour, harmlessBehaviour) ? behaviour.value : undefined;
}

/** The script with handlers that claim nothing: they succeed, fail and wait as before. `undefined` where none spoke. */
export function withHarmlessOutput(script: Script): Script | undefined {
  let spoke = false;
  const handlers = Object.entries(script.handlers).map(([tool, behaviours]) => {
    const quiet = behaviours.map((behaviour) => {
      const harmless = silence(behaviour);
      spoke ||= harmless !== behaviour;
      return harmless;
    });
    return [tool, quiet] as const;
  });
  // fromEntries makes own keys, also of a tool named "__proto__".
  return spoke ? { ...script, handlers: Object.fromEntries(handlers) } : undefined;
}

function silence(behaviour: Behaviour): Behaviour {
  switch (behaviour.kind) {
    case "return":
      return sameJson(behaviour, harmlessBehaviour) ? behaviour : harmlessBehaviour;
    case "echo":
      return harmlessBehaviour;
    case "slow":
      return behaviour.value === "done" ? behaviour : { kind: "slow", value: "done" };
    case "throw":
    case "effect-then-throw":
      return behaviour.message === "failed" ? behaviour : { kind: behaviour.kind, message: "failed" };
    default:
      return behaviour;
  }
}
