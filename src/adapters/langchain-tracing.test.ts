import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { createAgent } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TestRun } from "../contract/harness.ts";
import { langchainHarness } from "./langchain.ts";
import { holdTracing, releaseTracing } from "./langchain-tracing.ts";

const set = ["LANGSMITH_TRACING", "LANGSMITH_ENDPOINT", "LANGSMITH_API_KEY"] as const;

let server: Server;
let connections = 0;

/** A LangSmith that answers nobody, and an environment that asks for it. */
beforeEach(async () => {
  connections = 0;
  server = createServer((_, response) => response.end("{}"));
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  process.env.LANGSMITH_TRACING = "true";
  process.env.LANGSMITH_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.LANGSMITH_API_KEY = "none";
});

afterEach(async () => {
  for (const name of set) delete process.env[name];
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const run: TestRun = {
  tools: [],
  skills: [],
  maxSteps: 2,
  signal: new AbortController().signal,
  nextTurn: async () => ({ proposals: [], stop: "end" }),
  requestApproval: async () => false,
  toolCalled: async () => undefined,
};

describe("langchain-tracing", () => {
  it("keeps a campaign from LangSmith, which a run outside of one would reach", { timeout: 60_000 }, async () => {
    const harness = langchainHarness({ name: "traced", agent: ({ model }) => createAgent({ model, tools: [] }) });
    await harness.open?.();
    expect(await harness.run(run)).toEqual({ status: "answered" });
    await awaitAllCallbacks();
    expect(connections).toBe(0);
    await harness.close?.();
    expect(process.env.LANGSMITH_TRACING).toBe("true");
    await harness.run(run);
    await awaitAllCallbacks();
    expect(connections).toBeGreaterThan(0);
  });

  it("gives the environment back with the last campaign that ends", () => {
    holdTracing();
    process.env.LANGCHAIN_VERBOSE = "true";
    holdTracing();
    expect([process.env.LANGSMITH_TRACING, process.env.LANGCHAIN_VERBOSE]).toEqual([undefined, undefined]);
    releaseTracing();
    expect(process.env.LANGSMITH_TRACING).toBeUndefined();
    releaseTracing();
    releaseTracing();
    expect([process.env.LANGSMITH_TRACING, process.env.LANGCHAIN_VERBOSE]).toEqual(["true", "true"]);
    delete process.env.LANGCHAIN_VERBOSE;
  });
});
