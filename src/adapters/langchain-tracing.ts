/** What makes LangChain send each run to LangSmith, or print it. It reads them anew at each call. */
const switches = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
  "LANGCHAIN_VERBOSE",
] as const;

let holders = 0;
const found = new Map<string, string>();

/** From here on no run is traced: a campaign opens no connection, whatever the environment asks for. Campaigns may overlap. */
export function holdTracing(): void {
  holders += 1;
  for (const name of switches) {
    const value = process.env[name];
    if (value === undefined) continue;
    found.set(name, value);
    delete process.env[name];
  }
}

/** The environment is again as it was found, once nobody holds it any more. */
export function releaseTracing(): void {
  holders = Math.max(0, holders - 1);
  if (holders > 0) return;
  for (const [name, value] of found) process.env[name] ??= value;
  found.clear();
}
