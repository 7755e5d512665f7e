/** How the tools of an MCP server reach the model. `hidden`: not at all. */
export type McpExposure = "direct" | "codemode" | "deferred" | "hidden";

interface McpServerBase {
  exposure?: McpExposure;
  description?: string;
  /** By the name of a tool, `*` for any letters: another exposure than the server's. */
  toolExposure?: Record<string, McpExposure>;
  enabled?: boolean;
  /** Seconds that one request may take. */
  timeout?: number;
}

/** A server that is a program of this machine. */
export interface McpStdioServer extends McpServerBase {
  type?: "stdio";
  command: string;
  args?: string[];
  /** Values may name variables: `${NAME}`. */
  env?: Record<string, string>;
  cwd?: string;
}

/** A server that is reached over HTTP. */
export interface McpHttpServer extends McpServerBase {
  type?: "http";
  url: string;
  /** Values may name variables: `${NAME}`. */
  headers?: Record<string, string>;
}

export type McpServerConfig = McpStdioServer | McpHttpServer;

/** A server that an extension registered. */
export interface RegisteredMcpServer {
  name: string;
  config: McpServerConfig;
  /** The extension that registered it. */
  extensionPath: string;
}
