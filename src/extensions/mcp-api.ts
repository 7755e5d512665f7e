import { SeamError } from "../errors/index.ts";
import type { ExtensionAPI } from "./api/extension-api.ts";
import type { Host } from "./api/host.ts";
import { checkMcpServer } from "./check-registration.ts";
import type { Making } from "./create-api.ts";

type McpApi = Pick<ExtensionAPI, "registerMcpServer" | "unregisterMcpServer" | "getMcpServers">;

/** The MCP servers an extension brings. */
export function mcpApi(making: Making, active: () => void, host: (method: string) => Host): McpApi {
  const { extension, runtime, set } = making;
  const { path } = extension;
  const changed = (method: string) => {
    if (runtime.bound) host(method).mcpServersChanged(set.mcpServers());
  };
  return {
    registerMcpServer(name, config) {
      active();
      checkMcpServer(path, name, config);
      const other = set.mcpServers().find((one) => one.name === name && one.extensionPath !== path);
      if (other) {
        const detail = `"${name}" belongs to ${other.extensionPath} already`;
        throw new SeamError("SEAM_MCP_SERVER_INVALID", { path, detail });
      }
      extension.mcpServers.set(name, structuredClone(config));
      changed("registerMcpServer");
    },
    unregisterMcpServer(name) {
      active();
      if (extension.mcpServers.delete(name)) changed("unregisterMcpServer");
    },
    getMcpServers() {
      active();
      return set.mcpServers();
    },
  };
}
