import type { Setting } from "../src/contract/script-class.ts";

const memories = new WeakMap<Setting, unknown[]>();
let slots = 0;

/**
 * The same function, computed once for each setting. One memory for all of them: thousands of settings come and go, and
 * a weak map for each function would cost the garbage collector more than is saved.
 */
export function remembered<Value>(compute: (setting: Setting) => Value): (setting: Setting) => Value {
  const slot = slots++;
  return (setting) => {
    let memory = memories.get(setting);
    if (memory === undefined) {
      memory = [];
      memories.set(setting, memory);
    }
    if (memory[slot] === undefined) memory[slot] = compute(setting);
    return memory[slot] as Value;
  };
}
