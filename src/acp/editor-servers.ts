import type { McpServer } from "@agentclientprotocol/sdk";
import type { InlineExtension, McpServerConfig } from "../extensions/index.ts";

/** The MCP servers that an editor hands over with a session, as an extension that registers them. */
export function editorServers(
  servers: readonly McpServer[],
  refused: (text: string) => void,
): InlineExtension[] {
  if (servers.length === 0) return [];
  return [
    {
      name: "the editor's MCP servers",
      factory: (pi) => {
        for (const server of servers) {
          const config = configOf(server);
          if (!config) {
            refused(
              `Seam's agent does not connect to the MCP server ${server.name}: it uses the older HTTP+SSE transport. Offer it over stdio or streamable HTTP.`,
            );
            continue;
          }
          try {
            // A name becomes part of the names of tools, where models take letters and digits only.
            pi.registerMcpServer(server.name.replace(/[^\w-]+/g, "_"), config);
          } catch (thrown) {
            // An extension may have a server of that name already; the others are wanted all the same.
            refused(thrown instanceof Error ? thrown.message : String(thrown));
          }
        }
      },
    },
  ];
}

function configOf(server: McpServer): McpServerConfig | undefined {
  if ("command" in server) {
    const { command, args, env } = server;
    return { type: "stdio", command, args, env: byName(env) };
  }
  if (server.type === "sse") return undefined;
  return { type: "http", url: server.url, headers: byName(server.headers) };
}

function byName(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
