import fc from "fast-check";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Json } from "../../src/world/json.ts";
import type { Values } from "./values.ts";

const words = ["A-1", "text", "hello world", "B-22", "zürich", "12", 'say "hi"'];

const formats: { readonly [format: string]: readonly string[] } = {
  email: ["ada@example.com", "grace.hopper@example.org"],
  "idn-email": ["ada@example.com"],
  uri: ["https://example.com/", "https://example.com/orders?id=1"],
  "uri-reference": ["https://example.com/", "/orders/1"],
  url: ["https://example.com/"],
  uuid: ["3f2b8c1e-9a4d-4e6f-8b0a-1c2d3e4f5a6b", "b6c1f0a2-7d3e-4f58-9a1b-0c9d8e7f6a5b"],
  guid: ["3f2b8c1e-9a4d-4e6f-8b0a-1c2d3e4f5a6b"],
  "date-time": ["2026-01-31T12:30:00Z", "2025-12-01T00:00:00.000Z"],
  date: ["2026-01-31", "2025-12-01"],
  time: ["12:30:00", "12:30:00Z", "12:30"],
  duration: ["P1D", "PT1H30M"],
  hostname: ["example.com"],
  ipv4: ["192.0.2.1", "198.51.100.7"],
  ipv6: ["2001:db8::1"],
  cidrv4: ["192.0.2.0/24"],
  cidrv6: ["2001:db8::/32"],
  jwt: ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"],
  regex: ["^a+$"],
  "json-pointer": ["/orders/0"],
};

/** Tried where a pattern can't be read backwards (look-arounds, back references): what such patterns usually ask for. */
const everyday = [
  ...Object.values(formats).flat(),
  ...words,
  ...[
    "abc",
    "ABC",
    "a",
    "A",
    "1",
    "123",
    "12345",
    "123456",
    "abc123",
    "ABC123",
    "ABC-123",
    "abc-def",
    "abc_def",
    "Passw0rd!",
  ],
  ...[
    "Correct-Horse-7!",
    "+15550100123",
    "555-0100",
    "USD",
    "en-US",
    "#ff8800",
    "1.5",
    "1.2.3",
    "@ada",
    "/orders/file.txt",
    "file.txt",
  ],
  ...[
    "aGVsbG8=",
    "aGVsbG8",
    "deadbeef",
    "cjld2cjxh0000qzrmn831i7rn",
    "tz4a98xxat96iws9zmbrgj3a",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  ],
  ...["V1StGXR8_Z5jdHi6B-myT", "9m4e2mr0ui3e8a215n4g", "0ujsswThIGTUYm2K8FjOOfXtY1K", "00:1b:44:11:3a:b7", "🙂"],
];

/** Strings of the right length, form and pattern, plain words first. */
export function stringValues(schema: JsonSchema): Values {
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const limit = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  const most = Math.max(least, Math.min(limit, least + 12));
  const sized = (text: string) => [...text].slice(0, most).join("").padEnd(least, "a");
  const patterns = [schema.pattern ?? []].flat().map(expression);
  const fits = (text: string) => {
    const length = [...text].length;
    return length >= least && length <= limit && patterns.every((pattern) => pattern.test(text));
  };
  const named =
    typeof schema.format === "string" && Object.hasOwn(formats, schema.format) ? formats[schema.format]! : [];
  const known = named.filter(fits);
  if (known.length > 0) return fixed(known);
  if (patterns.length === 0) {
    const text = fc.string({ minLength: least, maxLength: most });
    return {
      canonical: [...new Set(words.map(sized))],
      arbitrary: fc.oneof(fc.constantFrom(...words).map(sized), text),
    };
  }
  const matching = matchesOf(patterns);
  const samples = matching === undefined ? [] : fc.sample(matching, { seed: 1, numRuns: 60 });
  const candidates = [...everyday, ...words.map(sized), ...samples.sort((a, b) => a.length - b.length)];
  const canonical = [...new Set(candidates.filter(fits))].slice(0, 6);
  if (matching === undefined) return fixed(canonical);
  return { canonical, arbitrary: matching.map((text): Json => (fits(text) ? text : (canonical[0] ?? text))) };
}

function fixed(texts: readonly string[]): Values {
  return { canonical: texts, arbitrary: texts.length > 0 ? fc.constantFrom(...texts) : fc.constant("") };
}

/** A pattern that is no regular expression makes the whole schema invalid: what is drawn for it does not matter. */
function expression(pattern: Json): RegExp {
  try {
    return new RegExp(String(pattern), "u");
  } catch {
    return /^/u;
  }
}

/** Texts made of what matches each pattern, one after another: "starts with" and "ends with" go together so. */
function matchesOf(patterns: readonly RegExp[]): fc.Arbitrary<string> | undefined {
  try {
    const parts = patterns.map((pattern) => fc.stringMatching(pattern, { size: "small" }));
    return fc.tuple(...parts).map((texts) => texts.join(""));
  } catch {
    return undefined;
  }
}
