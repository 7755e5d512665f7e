import type { EventMap, ToolCall } from "../../events/index.ts";

/** What extensions that hand work to other agents call their tool: Pi's example and ours. */
const SUBAGENT_TOOL = "subagent";

type Subagent = Omit<EventMap["subagent_start"], "type">;

/** A call that hands a task to another agent, as the subagent events tell of it. */
export function subagentOf(
  { id, name }: ToolCall,
  input: Record<string, unknown>,
): Subagent | undefined {
  if (name !== SUBAGENT_TOOL) return undefined;
  const { agent, task } = input;
  return {
    toolCallId: id,
    ...(typeof agent === "string" && { subagentType: agent }),
    ...(typeof task === "string" && { taskDescription: task }),
    toolInput: input,
  };
}
