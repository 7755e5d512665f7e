import type { AskedCall } from "../dispatch/index.ts";
import type { HostDialogOptions } from "../extensions/index.ts";
import { AbortedError, abortable } from "./abortable.ts";
import type { Core } from "./core.ts";

const LONGEST_INPUT = 2_000;

/**
 * Asks the user whether a tool call may run. Undefined: there is nobody. Whoever runs the agent
 * gave it the user interface, so this is the one place that knows whom to ask.
 */
export async function askUser(
  { hasUI, ui }: Pick<Core, "hasUI" | "ui">,
  { toolName, input, reason, by }: AskedCall,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  if (!hasUI) return undefined;
  try {
    const message = `${reason}\n\n${shown(input)}`;
    const options: HostDialogOptions = {
      from: by,
      call: { tool: toolName, input, reason },
      ...(signal && { signal }),
    };
    const answer = ui.confirm(`Run ${toolName}?`, message, options);
    return await (signal ? abortable(answer, signal) : answer);
  } catch (thrown) {
    if (thrown instanceof AbortedError) return false;
    throw thrown;
  }
}

function shown({ command, path, ...rest }: AskedCall["input"]): string {
  const text = String(command ?? path ?? JSON.stringify(rest));
  return text.length > LONGEST_INPUT ? `${text.slice(0, LONGEST_INPUT)} …` : text;
}
