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
  "run_command",
  "transfer_credit",
  "pick_target",
  "count_stock",
  "set_limits",
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
 * Twenty-one distinct names that a harness can declare: plain ones, spelled as its pattern wants them, and where no spelling
 * fits, names made from the pattern. Fewer only where the pattern leaves no more.
 *
 * @throws UsageError `no-tool-name` where no name at all was found.
 */
export function toolNames(pattern: RegExp = ordinary): readonly string[] {
  const steady = steadyOf(pattern);
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

/** Global and sticky patterns remember where they stopped. */
function steadyOf(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
}

const long = "export_the_orders_of_every_customer_in_the_region_since_last_year";

/** Names in one family stand in some relation: one begins with another, or they are equal once they are folded or cut. */
const families: readonly (readonly string[])[] = [
  ["find_customer", "Find_Customer", "FIND_CUSTOMER", "find-customer", "findCustomer", "findcustomer"],
  ["constructor", "toString", "hasOwnProperty", "valueOf", "length", "name", "isPrototypeOf"],
  ["send", "send_message", "send_messages", "send_", "sen"],
  ["2", "1", "10", "01", "0", "-1"],
  [`${long.slice(0, 63)}a`, `${long.slice(0, 63)}b`, long.slice(0, 63), long.slice(0, 32)],
  [`${long.slice(0, 64)}_a`, `${long.slice(0, 64)}_b`, long.slice(0, 64), `${long}${long}${long}`],
  ["caf\u00E9_bill", "cafe\u0301_bill", "cafe_bill", "CAF\u00C9_BILL"],
  ["file_report", "\uFB01le_report", "\uFF46ile_report", "file\u200B_report", "f\u0456le_report"],
  ["\u67E5\u8BE2\u8BA2\u5355", "stra\u00DFe", "strasse", "STRASSE", "\u{1F6D2}"],
];

/** Families of legal but odd names; only what the pattern allows, and only where at least two of a family are left. */
export function nameFamilies(pattern: RegExp = ordinary): readonly (readonly string[])[] {
  const steady = steadyOf(pattern);
  return families.map((names) => names.filter((name) => steady.test(name))).filter((names) => names.length > 1);
}
