/** How the warnings begin that the SDK writes about what a script plays: odd budgets, and keys in the environment that it does not use. */
const ofScripts = [
  "Invalid maximumRemoteCalls value provided for automatic function calling.",
  "there are non-text parts ",
  "Both GOOGLE_API_KEY and GEMINI_API_KEY are set.",
];

let hushed = 0;
let original: typeof console.warn | undefined;

/** Keeps these warnings off the console until {@link unhushSdk}; all others go through. The SDK has no option for it. */
export function hushSdk(): void {
  hushed += 1;
  if (hushed > 1) return;
  original = console.warn;
  console.warn = filtered;
}

export function unhushSdk(): void {
  hushed = Math.max(0, hushed - 1);
  if (hushed === 0 && console.warn === filtered && original !== undefined) console.warn = original;
}

function filtered(this: unknown, ...words: unknown[]): void {
  const [first] = words;
  if (typeof first === "string" && ofScripts.some((beginning) => first.startsWith(beginning))) return;
  original?.apply(this, words);
}
