import { type TSchema, Type } from "typebox";
import type { ExtensionAPI, ToolDefinition } from "../../extensions/index.ts";
import type { ToolResult } from "../../tools/index.ts";

type Execute = ToolDefinition["execute"];

export const text = (value: string, more: Partial<ToolResult> = {}): ToolResult => ({
  content: [{ type: "text", text: value }],
  ...more,
});

/** Registers a tool that takes anything unless a schema is given. */
export function addTool(
  pi: ExtensionAPI,
  name: string,
  execute: (...args: Parameters<Execute>) => unknown,
  more: Partial<ToolDefinition> & { parameters?: TSchema } = {},
): void {
  pi.registerTool({
    name,
    description: `The tool ${name}`,
    parameters: Type.Object({}),
    // Tests also need tools that do not keep to the contract.
    execute: execute as Execute,
    ...more,
  });
}
