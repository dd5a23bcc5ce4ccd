import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** What each folder may import: folders of ours, and packages. `node:` stands for Node's own modules. */
const mayImport: Record<string, readonly string[]> = {
  "src/errors.ts": [],
  "src/index.ts": [
    "arbitraries",
    "properties",
    "src/check",
    "src/contract",
    "src/errors.ts",
    "src/report",
    "src/wire",
    "src/world",
  ],
  "src/world": ["zod", "ajv"],
  "src/contract": ["src/world", "src/errors.ts", "zod", "fast-check"],
  "src/run": ["src/contract", "src/world", "src/errors.ts", "node:"],
  arbitraries: ["src/contract", "src/world", "src/errors.ts", "fast-check"],
  properties: ["src/contract", "src/world"],
  "src/check": [
    "src/run",
    "src/contract",
    "src/world",
    "src/errors.ts",
    "arbitraries",
    "properties",
    "fast-check",
    "node:",
  ],
  "src/report": ["src/contract", "src/world", "src/errors.ts", "picocolors"],
  "src/wire": ["src/contract", "src/world", "src/errors.ts", "zod"],
  "src/adapters": [
    "src/contract",
    "src/world",
    "src/wire",
    "src/errors.ts",
    "node:",
    "ai",
    "@anthropic-ai/sdk",
    "@google/genai",
    "@langchain/core",
    "@langchain/langgraph",
    "@modelcontextprotocol/sdk",
    "@openai/agents",
    "langchain",
    "zod",
  ],
  "src/vitest": ["src/check", "src/report", "src/contract", "src/errors.ts", "vitest", "node:"],
  "src/cli": [
    "src/check",
    "src/report",
    "src/contract",
    "src/errors.ts",
    "src/adapters",
    "fixtures",
    "commander",
    "picocolors",
    "tsx",
    "node:",
  ],
};

const folders = ["src", "arbitraries", "properties", "fixtures"];

const sources = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));

/** Each has an export path of its own, and its one SDK. */
const adapters = ["ai-sdk", "anthropic", "google-genai", "langchain", "mcp", "openai-agents"].map(
  (name) => `src/adapters/${name}.ts`,
);

const shipped = sources.filter((file) => !file.endsWith(".test.ts"));

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\b[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm),
  ];
  return specifiers.map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function targetOf(file: string, specifier: string): string {
  return specifier.startsWith(".") ? relative(root, resolve(root, dirname(file), specifier)) : specifier;
}

function layerOf(file: string): string | undefined {
  return Object.keys(mayImport).find((layer) => file === layer || file.startsWith(`${layer}/`));
}

function isAllowed(file: string, target: string): boolean {
  const layer = layerOf(file);
  if (layer === undefined) return false;
  if (target.startsWith(`${layer}/`)) return true;
  return mayImport[layer]!.some(
    (allowed) =>
      target === allowed || target.startsWith(`${allowed}/`) || (allowed === "node:" && target.startsWith("node:")),
  );
}

describe("layers", () => {
  it("finds the sources and what they import", () => {
    expect(shipped.length).toBeGreaterThan(50);
    expect(importsOf("src/check/check-harness.ts")).toContain("../run/stage.ts");
    expect(isAllowed("properties/x.ts", "src/run/stage.ts")).toBe(false);
    expect(isAllowed("src/cli/main.ts", "src/run/stage.ts")).toBe(false);
  });

  it("each folder imports only what the table allows it", () => {
    const outside = shipped
      .filter((file) => !file.startsWith("fixtures/"))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, target: targetOf(file, specifier) })))
      .filter(({ file, target }) => !isAllowed(file, target));
    expect(outside).toEqual([]);
  });

  it("fixtures import only the public API, each other, and other packages", () => {
    const deep = sources
      .filter((file) => file.startsWith("fixtures/"))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, target: targetOf(file, specifier) })))
      .filter(({ target }) => /^(src|arbitraries|properties)\//.test(target))
      .filter(({ target }) => target !== "src/index.ts" && target !== "src/vitest/index.ts")
      .filter(({ target }) => !adapters.includes(target));
    expect(deep).toEqual([]);
  });

  it("no adapter imports another, and none is part of the API of the rest", () => {
    const taken = shipped
      .filter((file) => !file.startsWith("fixtures/"))
      .flatMap((file) => importsOf(file).map((specifier) => ({ file, target: targetOf(file, specifier) })))
      .filter(({ target }) => adapters.includes(target));
    expect(taken.filter(({ file }) => !file.startsWith("src/cli/"))).toEqual([]);
  });

  it("no file imports itself through others", () => {
    const edges = new Map(
      sources.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => targetOf(file, specifier)),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
        return;
      }
      if (done.has(file)) return;
      for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("no two source files share a name, index.ts and laws.ts aside", () => {
    const names = shipped
      .map((file) => file.slice(file.lastIndexOf("/") + 1))
      .filter((name) => !["index.ts", "laws.ts"].includes(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
