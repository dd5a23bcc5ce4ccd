import { type Behaviour, harmlessBehaviour } from "../contract/behaviour.ts";
import type { Script } from "../contract/script.ts";

export function* withPlainHandlers(script: Script): Iterable<Script> {
  const { handlers } = script;
  for (const tool of Object.keys(handlers)) {
    const { [tool]: behaviours = [], ...rest } = handlers;
    yield { ...script, handlers: rest };
    if (behaviours.length > 1) {
      for (const at of behaviours.keys()) {
        yield { ...script, handlers: { ...rest, [tool]: behaviours.filter((_, index) => index !== at) } };
      }
    }
    for (const [at, behaviour] of behaviours.entries()) {
      for (const plainer of plainerBehaviours(behaviour)) {
        yield {
          ...script,
          handlers: { ...rest, [tool]: behaviours.map((other, index) => (index === at ? plainer : other)) },
        };
      }
    }
  }
  for (const at of script.decisions.keys()) {
    yield { ...script, decisions: script.decisions.filter((_, index) => index !== at) };
  }
}

function* plainerBehaviours(behaviour: Behaviour): Iterable<Behaviour> {
  const length = JSON.stringify(behaviour).length;
  const plainer: readonly Behaviour[] = [harmlessBehaviour, { kind: "throw", message: "failed" }];
  yield* plainer.filter((other) => JSON.stringify(other).length < length);
}
