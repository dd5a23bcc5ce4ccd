const BUILT_INS = {
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  Map,
  Set,
  Promise,
  RegExp,
  Date,
  Error,
} as const;

export interface GlobalChange {
  readonly where: string;
  readonly key: string;
}

interface Watched {
  readonly where: string;
  readonly object: object;
  readonly descriptors: ReadonlyMap<PropertyKey, PropertyDescriptor>;
  /** Those with a value, apart: they are compared after every run. */
  readonly keys: readonly PropertyKey[];
  readonly values: readonly unknown[];
  readonly accessors: readonly (readonly [PropertyKey, PropertyDescriptor])[];
}

/**
 * Notices what a run changes on the prototypes that every object in the process shares, and undoes it.
 *
 * Comparing everything is too dear for every run, so what assignments do (new enumerable keys, overwritten values) is looked for
 * each time, and new keys that are not enumerable each time on `Object.prototype` and elsewhere only when asked to be thorough.
 */
export class PrototypeWatch {
  #watched = takeAll();
  #isThorough = false;

  /** Takes what is there now as the way things are: what happened outside of runs is nobody's fault. */
  renew(): void {
    if (this.#isChanged(true)) this.#watched = takeAll();
  }

  /** What changed since the last time; it is put back. */
  undo(thorough: boolean): readonly GlobalChange[] {
    if (!this.#isChanged(thorough || this.#isThorough)) return [];
    const changes = this.#watched.flatMap(restore);
    // What could not be put back would be told again after every run.
    if (this.#isChanged(true)) this.#watched = takeAll();
    // It hides what it does, so from now on every run is looked at closely.
    this.#isThorough = true;
    return changes;
  }

  #isChanged(thorough: boolean): boolean {
    for (const watched of this.#watched) {
      const { object, keys, values, accessors, descriptors } = watched;
      for (let index = 0; index < keys.length; index += 1) {
        if ((object as Record<PropertyKey, unknown>)[keys[index] as PropertyKey] !== values[index]) return true;
      }
      for (const [key, descriptor] of accessors) {
        const now = Reflect.getOwnPropertyDescriptor(object, key);
        if (now?.get !== descriptor.get || now?.set !== descriptor.set) return true;
      }
      // The built-in keys are not enumerable.
      for (const key in object) if (!descriptors.has(key) && Object.hasOwn(object, key)) return true;
      if ((thorough || object === Object.prototype) && Reflect.ownKeys(object).length !== descriptors.size) return true;
    }
    return false;
  }
}

function takeAll(): readonly Watched[] {
  const watched: Watched[] = [take("Object", Object), take("Function", Function)];
  for (const [name, builtIn] of Object.entries(BUILT_INS)) watched.push(take(`${name}.prototype`, builtIn.prototype));
  return watched;
}

function take(where: string, object: object): Watched {
  const descriptors = new Map<PropertyKey, PropertyDescriptor>();
  const keys: PropertyKey[] = [];
  const values: unknown[] = [];
  const accessors: [PropertyKey, PropertyDescriptor][] = [];
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
    descriptors.set(key, Object.setPrototypeOf(descriptor, null));
    if (!("value" in descriptor)) accessors.push([key, descriptor]);
    else {
      keys.push(key);
      values.push(descriptor.value);
    }
  }
  return { where, object, descriptors, keys, values, accessors };
}

function restore({ where, object, descriptors }: Watched): GlobalChange[] {
  const changes: GlobalChange[] = [];
  for (const key of Reflect.ownKeys(object)) {
    if (descriptors.has(key)) continue;
    changes.push({ where, key: String(key) });
    Reflect.deleteProperty(object, key);
  }
  for (const [key, before] of descriptors) {
    const now = Reflect.getOwnPropertyDescriptor(object, key);
    if (now !== undefined && now.value === before.value && now.get === before.get && now.set === before.set) continue;
    changes.push({ where, key: String(key) });
    Reflect.defineProperty(object, key, before);
  }
  return changes;
}
