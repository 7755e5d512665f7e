import { type AgentMessage, textOfContent } from "../events/index.ts";
import type { SessionTree } from "./session/index.ts";

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}" +
  "section{border-left:3px solid #8888;padding-left:1rem;margin:1rem 0}h2{font-size:.9rem}" +
  "pre{white-space:pre-wrap;overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}";

/** A conversation as one page that needs nothing else. What was said is shown and never run. */
export function sessionHtml(session: SessionTree): string {
  const title = escaped(session.getSessionName() ?? `Session ${session.getSessionId()}`);
  const parts = session.buildContext().messages.flatMap(partsOf);
  const sections = parts.map(
    ([who, text]) => `<section><h2>${escaped(who)}</h2><pre>${escaped(text)}</pre></section>`,
  );
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
    `<style>${STYLE}</style><h1>${title}</h1>\n${sections.join("\n")}\n</html>\n`
  );
}

function partsOf(message: AgentMessage): [who: string, text: string][] {
  switch (message.role) {
    case "assistant":
      return message.content.map((block) => {
        if (block.type === "text") return ["Assistant", block.text];
        if (block.type === "thinking") return ["Thinking", block.thinking];
        return [`Tool call: ${block.name}`, JSON.stringify(block.arguments, null, 2)];
      });
    case "toolResult":
      return [[`Result of ${message.toolName}`, textOfContent(message.content)]];
    case "bashExecution":
      return [[`! ${message.command}`, message.output]];
    case "branchSummary":
    case "compactionSummary":
      return [["Summary", message.summary]];
    case "user":
    case "custom":
      return [
        [message.role === "user" ? "User" : message.customType, textOfContent(message.content)],
      ];
    default:
      return [];
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}
