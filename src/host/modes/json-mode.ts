import type { Agent } from "../agent.ts";
import { jsonEvent, jsonLine } from "./json-event.ts";

/** One prompt; every event is a line of JSON, the session's header first. */
export async function runJson(
  agent: Agent,
  prompt: string,
  write: (line: string) => void,
): Promise<boolean> {
  let failed = false;
  write(jsonLine(agent.session.getHeader()));
  const unsubscribe = agent.subscribe((event) => {
    write(jsonLine(jsonEvent(event)));
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    failed = event.message.stopReason === "error" || event.message.stopReason === "aborted";
  });
  try {
    await agent.prompt(prompt);
    await agent.waitForIdle();
  } finally {
    unsubscribe();
  }
  return !failed && !agent.lastError;
}
