import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Claims, Harness, Outcome, Shape, TestRun } from "../contract/harness.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { conversationOf, type McpCalls, McpMemoryClient } from "./mcp-memory.ts";
import { type McpTool, mcpTools } from "./mcp-tools.ts";
import { playTurns } from "./mcp-turns.ts";
import { loadSdk } from "./sdk-package.ts";

export { type McpCommandHarness, type McpCommandOptions, mcpCommandHarness } from "./mcp-command.ts";
export type { McpCalls } from "./mcp-memory.ts";
export type { McpTool } from "./mcp-tools.ts";

/** What a server is built with. */
export interface McpParts {
  /** The tools of the run, and where there are skills one more, which loads them. */
  readonly tools: readonly McpTool[];
}

/** An `McpServer`, or the SDK's `Server` below it. */
export interface ConnectableServer {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

export interface McpOptions extends AgentOptions {
  /** Builds your server, with the tools of the run on it. Called for each run: a client has a server of its own. */
  server(parts: McpParts): ConnectableServer | Promise<ConnectableServer>;
  /** How the calls of one turn are sent. Default `at-once`. */
  readonly calls?: McpCalls;
}

const sdk = {
  name: "@modelcontextprotocol/sdk",
  majors: [1],
  load: () => import("@modelcontextprotocol/sdk/inMemory.js"),
};

const claims: Claims = {
  approvals: "none",
  deny: false,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  results: true,
  menu: true,
  abort: true,
};

/** Names that the protocol allows, without those that every object inherits: `McpServer` takes them for registered already. */
const toolNames =
  /^(?!(?:load_skill|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|__\w+__)$)\w(?:[\w.-]{0,126}\w)?$/;

const shape: Shape = { loop: "none", argumentText: "parsed", emptyArguments: "empty-object", toolNames };

/**
 * A server of the Model Context Protocol as a dispatcher: each call of a turn is one `tools/call`, sent as a raw frame over the SDK's
 * in-memory transport, through JSON text, and without the checks of the SDK's own client. Hidden tools are disabled ones.
 *
 * A server has no model, no budget and no approval, so the loop around it is the kit's. Text that is not JSON can't be sent to a
 * server object; `mcpCommandHarness` sends it to a process.
 *
 * @example
 * export const harness = mcpHarness({
 *   name: "my-server",
 *   server: ({ tools }) => {
 *     const server = new McpServer({ name: "my-server", version: "1.0.0" });
 *     for (const { name, config, handler, registered } of tools) registered(server.registerTool(name, config, handler));
 *     return server;
 *   },
 * });
 * @throws UsageError `bad-argument`; `missing-sdk` or `untested-sdk` once it is opened.
 */
export function mcpHarness(options: McpOptions): Harness {
  let loaded: Awaited<ReturnType<typeof sdk.load>> | undefined;
  const load = async () => {
    loaded ??= (await loadSdk(sdk, options.anyVersion)).sdk;
    return loaded;
  };
  const claimed = { ...claims, ...options.claims };
  return agentHarness(options, "server", {
    of: "mcpHarness",
    claims,
    shape,
    async open() {
      await load();
    },
    async run(run) {
      const { InMemoryTransport } = await load();
      return playRun(run, options, claimed, InMemoryTransport.createLinkedPair());
    },
  });
}

type Pair = ReturnType<typeof import("@modelcontextprotocol/sdk/inMemory.js")["InMemoryTransport"]["createLinkedPair"]>;

async function playRun(run: TestRun, options: McpOptions, claimed: Claims, [near, far]: Pair): Promise<Outcome> {
  const client = new McpMemoryClient(near);
  const server = await options.server({ tools: mcpTools(run, (requestId) => client.callIdOf(requestId)) });
  await server.connect(far);
  try {
    await client.start();
    const conversation = conversationOf(client, {
      menu: claimed.menu === true,
      calls: options.calls ?? "at-once",
      ...(claimed.abort === true && { signal: run.signal }),
    });
    return await playTurns(run, conversation);
  } finally {
    await server.close();
  }
}
