import type { OfferedCommand, OfferedTool } from "../../daemon/index.ts";
import type { ServedToolInfo } from "../protocol.ts";

/** A tool as a client gets to see it. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations?: { readonly readOnlyHint: true };
}

export function toolOf({
  name,
  title,
  description,
  parameters,
  isReadOnly,
}: OfferedTool & { readonly isReadOnly?: boolean }): ToolInfo {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: { ...parameters, type: "object" },
    ...(isReadOnly && { annotations: { readOnlyHint: true } }),
  };
}

export const COMMAND_TOOL = "seam_command";

/** One tool for all commands: each client pays for every tool with some of its model's context. */
export function commandTool(commands: readonly OfferedCommand[]): ServedToolInfo {
  const list = commands.map(({ name, description }) =>
    description === undefined ? `/${name}` : `/${name} (${description})`,
  );
  return {
    name: COMMAND_TOOL,
    description: `Runs a command of a Seam extension and returns what it says: ${list.join(", ")}.`,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", enum: commands.map(({ name }) => name) },
        args: { type: "string", description: "What stands behind the command." },
      },
      required: ["command"],
    },
  };
}

/** A command as a prompt: where a client lets people choose it, it runs and gives its words. */
export function promptOf({ name, description }: OfferedCommand) {
  return {
    name,
    ...(description !== undefined && { description }),
    arguments: [{ name: "args", description: "What stands behind the command.", required: false }],
  };
}
