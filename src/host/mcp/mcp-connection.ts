import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Type } from "typebox";
import type { UserContent } from "../../events/index.ts";
import type { McpServerConfig, RegisteredMcpServer } from "../../extensions/index.ts";
import type { ToolResult } from "../../tools/index.ts";
import { isRecord } from "../../values/index.ts";
import type { HostTool } from "../tools/tool-table.ts";

const CONNECT_MS = 30_000;
const DEFAULT_TIMEOUT_S = 60;

/** A server that answers: its tools as the agent's, and what it says by itself. */
export interface McpConnection {
  readonly tools: readonly HostTool[];
  readonly instructions: string | undefined;
  onTools(listener: (tools: readonly HostTool[]) => void): void;
  onNotification(listener: (method: string, params: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): Promise<void>;
}

type McpTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

export async function connectMcp(
  { name, config }: RegisteredMcpServer,
  cwd: string,
): Promise<McpConnection> {
  const client = new Client({ name: "seam", version: "1" });
  let toolsListener: (tools: readonly HostTool[]) => void = () => {};
  let listener: (method: string, params: unknown) => void = () => {};
  const list = async () => {
    const { tools } = await client.listTools();
    return tools.flatMap((tool) => hostTool(client, name, config, tool));
  };
  client.fallbackNotificationHandler = async ({ method, params }) => {
    listener(method, params);
    if (method === "notifications/tools/list_changed") toolsListener(await list());
  };
  await client.connect(transportFor(config, cwd), { timeout: CONNECT_MS });
  return {
    tools: await list(),
    instructions: config.description ?? client.getInstructions(),
    onTools: (next) => {
      toolsListener = next;
    },
    onNotification: (next) => {
      listener = next;
    },
    onClose: (next) => {
      client.onclose = next;
    },
    close: async () => {
      client.onclose = () => {};
      await client.close().catch(() => {});
    },
  };
}

function transportFor(config: McpServerConfig, cwd: string): Transport {
  if ("url" in config) {
    const headers = expanded(config.headers ?? {});
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers } });
  }
  const { command, args = [], env = {} } = config;
  return new StdioClientTransport({
    command,
    args: [...args],
    // A server gets what it is given, and of the environment only what programs need to run.
    env: expanded(env),
    cwd: config.cwd ?? cwd,
    stderr: "ignore",
  });
}

/** `${NAME}` is the value of a variable. */
function expanded(values: Readonly<Record<string, string>>): Record<string, string> {
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)\}/g, (_, variable: string) => process.env[variable] ?? "");
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, filled(text)]));
}

function hostTool(
  client: Client,
  server: string,
  config: McpServerConfig,
  tool: McpTool,
): HostTool[] {
  const namespace = `mcp__${server.replaceAll("-", "_")}`;
  const exposure = exposureOf(config, tool.name);
  const timeout = (config.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
  return [
    {
      name: `${namespace}__${tool.name.replace(/[^\w-]/g, "_")}`,
      description: tool.description ?? tool.title ?? tool.name,
      // What a server sends is a JSON Schema of its own making; it is checked against as it is.
      parameters: Type.Unsafe<Record<string, unknown>>({ ...tool.inputSchema }),
      exposure,
      namespace: { name: namespace, aliases: [server] },
      ...(tool.annotations && { annotations: annotationsOf(tool.annotations) }),
      execute: async (_id, params, signal) => {
        const given = { name: tool.name, arguments: Object(params) };
        const result = await client.callTool(given, { timeout, ...(signal && { signal }) });
        return resultOf(result);
      },
    },
  ];
}

/**
 * The exposure of a tool as it is registered; a name wins over a pattern. Seam has no scripts that
 * call tools: `codemode` is direct.
 */
function exposureOf(config: McpServerConfig, tool: string): "direct" | "deferred" | "hidden" {
  const { toolExposure = {}, exposure = "direct" } = config;
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(
      tool,
    );
  const own = Object.hasOwn(toolExposure, tool) ? toolExposure[tool] : undefined;
  const found = own ?? Object.entries(toolExposure).find(([pattern]) => fits(pattern))?.[1];
  const chosen = found ?? exposure;
  return chosen === "codemode" ? "direct" : chosen;
}

function annotationsOf(annotations: NonNullable<McpTool["annotations"]>) {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint !== undefined && { readOnlyHint }),
    ...(destructiveHint !== undefined && { destructiveHint }),
    ...(idempotentHint !== undefined && { idempotentHint }),
    ...(openWorldHint !== undefined && { openWorldHint }),
  };
}

function resultOf(result: Awaited<ReturnType<Client["callTool"]>>): ToolResult {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const content = blocks.map(contentOf);
  return {
    content: content.length > 0 ? content : [{ type: "text", text: "(no output)" }],
    ...(result.structuredContent !== undefined && { structuredContent: result.structuredContent }),
    ...(result.isError === true && { isError: true }),
  };
}

function contentOf(block: unknown): UserContent {
  if (isRecord(block)) {
    const { type, text, data, mimeType } = block;
    if (type === "text" && typeof text === "string") return { type, text };
    if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
      return { type, data, mimeType };
    }
  }
  return { type: "text", text: JSON.stringify(block) };
}
