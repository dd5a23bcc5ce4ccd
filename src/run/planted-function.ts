import { PLANTED_NAME } from "../contract/planted-name.ts";
import { currentRecorder } from "./current-run.ts";

/** What registries keep a tool's function under. */
const FUNCTION_KEYS = ["execute", "run", "handler", "invoke", "func", "fn", "callback"] as const;

let stages = 0;
let plantedNow: object | undefined;

/**
 * Puts a function that every object inherits under {@link PLANTED_NAME}, for as long as a stage is open. A registry that is read with
 * `registry[name]` and not with `Object.hasOwn` finds it, and the call is witnessed.
 *
 * Where `Object.prototype` is frozen there is nothing to inherit, and nothing is planted. It may be assigned to, as all real inherited
 * names may: own entries of that name must be possible.
 */
export function plantFunction(): void {
  stages += 1;
  if (stages > 1 || !Object.isExtensible(Object.prototype)) return;
  plantedNow = inheritedFunction();
  Reflect.defineProperty(Object.prototype, PLANTED_NAME, hidden(plantedNow));
}

export function removePlantedFunction(): void {
  stages -= 1;
  if (stages > 0 || plantedNow === undefined) return;
  plantedNow = undefined;
  Reflect.deleteProperty(Object.prototype, PLANTED_NAME);
}

function inheritedFunction(): object {
  const inherited = (): string => {
    const recorder = currentRecorder();
    recorder?.record({ type: "inherited-called", step: recorder.step, name: PLANTED_NAME });
    return "nothing was done";
  };
  for (const key of FUNCTION_KEYS) Reflect.defineProperty(inherited, key, hidden(inherited));
  return inherited;
}

/** A descriptor that inherits nothing, in case `Object.prototype` is polluted already. */
function hidden(value: object): PropertyDescriptor {
  return Object.assign(Object.create(null), { value, enumerable: false, configurable: true, writable: true });
}
