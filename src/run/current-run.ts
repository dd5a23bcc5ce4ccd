import { AsyncLocalStorage } from "node:async_hooks";
import type { Recorder } from "./recorder.ts";

const storage = new AsyncLocalStorage<Recorder>();
let alone: Recorder | undefined;
let going = 0;
let isFollowing = false;

/**
 * Starts a run in such a way that what happens to the whole process (a call of the planted function, a rejection that nobody handles) can be
 * told to belong to it. The first of several runs needs no context of its own, and following contexts makes every promise
 * slower, so only runs beside another one get one.
 */
export function startAsCurrent(recorder: Recorder, start: () => void): void {
  going += 1;
  if (going > 1) {
    isFollowing = true;
    storage.run(recorder, start);
    return;
  }
  alone = recorder;
  start();
}

/** To be called once for each run that was started, when it can be told to have nothing more to do. */
export function stopBeingCurrent(): void {
  going -= 1;
  if (going > 0 || !isFollowing) return;
  isFollowing = false;
  storage.disable();
}

/** The run that the code which runs now belongs to; after it, until the next one starts, the last one. */
export function currentRecorder(): Recorder | undefined {
  return storage.getStore() ?? alone;
}

export function isAnyRunGoing(): boolean {
  return going > 0;
}

/** Lets go of the last run. */
export function forgetCurrent(): void {
  if (going === 0) alone = undefined;
}
