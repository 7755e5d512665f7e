import { Type } from "typebox";
import { type DaemonPaths, daemonPaths } from "../../daemon/index.ts";
import type { InlineExtension } from "../../extensions/index.ts";
import { leadTool } from "./crew-tools.ts";

/** Gives Seam's own agent the tool to lead a crew with, which other agents get over MCP. */
export function crewLeader(paths: DaemonPaths = daemonPaths()): InlineExtension {
  const { name, description, parameters, run } = leadTool(paths);
  return {
    name: "seam:crew",
    factory: (pi) => {
      pi.registerTool({
        name,
        label: "Crew",
        description,
        parameters: Type.Unsafe<Record<string, unknown>>(parameters),
        async execute(_id, params, _signal, _update, { cwd }) {
          return { content: [{ type: "text", text: await run(params, { cwd }) }], details: {} };
        },
      });
    },
  };
}
