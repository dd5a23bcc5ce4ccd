import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { classes, properties } from "./check/catalogues.ts";
import * as api from "./index.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

function entriesOf(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts") && !/\.(test|test-kit)\.ts$/.test(file))
    .map((file) => file.slice(0, -".ts".length));
}

const notRules = ["index", "laws", "licences", "authority-words", "trace-of"];
const ruleFiles = entriesOf("properties").filter((name) => !notRules.includes(name));
const folderOf = new Map(
  ["proposals", "turns", "handlers", "operators"].flatMap((folder) =>
    entriesOf(`arbitraries/${folder}`).map((id) => [id, `arbitraries/${folder}`] as const),
  ),
);

describe("the catalogue of rules", () => {
  it("lists each file of its folder, in order of the alphabet, under its own name", () => {
    expect(properties.map((property) => property.id)).toEqual([...ruleFiles].sort());
  });

  it("gives each rule a test of its own and a complete doc block", () => {
    for (const id of ruleFiles) {
      expect(readFileSync(join(root, `properties/${id}.test.ts`), "utf8")).toContain(id);
      const text = readFileSync(join(root, `properties/${id}.ts`), "utf8");
      for (const part of ["**Rule**", "**Holds when**", "**Often broken by**", "@example"])
        expect(text).toContain(part);
    }
  });

  it("stands in the README, with the words of the code", () => {
    for (const { id, rule, level } of properties) {
      const row = readme.split("\n").find((line) => line.startsWith(`| \`${id}\``));
      expect(row, id).toContain(rule);
      expect(row?.includes("(SHOULD)"), id).toBe(level === "should");
    }
  });
});

describe("the catalogue of classes", () => {
  it("lists each file of its folders, in order of the alphabet, under its own name", () => {
    expect(classes.map((entry) => entry.id)).toEqual([...folderOf.keys()].sort());
  });

  it("says what each class is, in one sentence, above an example", () => {
    for (const { id, says } of classes) {
      expect(says.length, id).toBeGreaterThan(20);
      expect(readFileSync(join(root, `${folderOf.get(id)}/${id}.ts`), "utf8"), id).toContain("@example");
      expect(existsSync(join(root, `${folderOf.get(id)}/${id}.test.ts`)), id).toBe(true);
    }
  });
});

describe("the public API", () => {
  it("has the names that the README uses", () => {
    const named = [...readme.matchAll(/import (?:type )?\{([^}]+)\} from "gatecrash"/g)]
      .flatMap((match) => match[1]!.split(","))
      .map((name) => name.trim())
      .filter((name) => !name.startsWith("type ") && name !== "Harness");
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(Object.keys(api), name).toContain(name);
  });
});
