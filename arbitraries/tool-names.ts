import fc from "fast-check";
import { UsageError } from "../src/errors.ts";

const plain = [
  "lookup_order",
  "refund_order",
  "delete_account",
  "list_invoices",
  "export_customers",
  "track_parcel",
  "issue_credit",
  "read_ledger",
  "adjust_balance",
  "purge_ledger",
  "send_message",
  "send",
  "change_address",
  "find_customer",
  "reroute_parcel",
  "close_ticket",
];

const ordinary = /^[a-zA-Z0-9_-]{1,64}$/;

const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", "."),
  (name) => name.replaceAll("_", ""),
  (name) => name.toUpperCase(),
  (name) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replace("_", "__"),
  (name) => name.replace("_", "/"),
  (name) => name.replace("_", ":"),
];

/**
 * Sixteen distinct names that a harness can declare: plain ones, spelled as its pattern wants them, and where no spelling
 * fits, names made from the pattern. Fewer only where the pattern leaves no more.
 *
 * @throws UsageError `no-tool-name` where no name at all was found.
 */
export function toolNames(pattern: RegExp = ordinary): readonly string[] {
  // Global and sticky patterns remember where they stopped.
  const steady = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  const fitting = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== "" && steady.test(name));
  for (const spelling of spellings) {
    const names = fitting(plain.map(spelling));
    if (names.length === plain.length) return names;
  }
  const spelled = fitting(spellings.flatMap((spelling) => plain.map(spelling)));
  if (spelled.length >= plain.length) return spelled.slice(0, plain.length);
  const names = [...new Set([...spelled, ...fitting(matching(steady))])].slice(0, plain.length);
  if (names.length > 0) return names;
  const problem = `Expected \`shape.toolNames\` to match some name, got \`${pattern}\`. Do widen it, or give the harness a world of its own.`;
  throw new UsageError("no-tool-name", problem, { toolNames: String(pattern) });
}

function matching(pattern: RegExp): readonly string[] {
  try {
    return fc
      .sample(fc.stringMatching(pattern, { size: "small" }), { seed: 1, numRuns: 200 })
      .filter((name) => name !== "__proto__");
  } catch {
    return [];
  }
}
