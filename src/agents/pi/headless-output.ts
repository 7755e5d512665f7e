import type { News } from "../headless/headless.ts";
import { at, recordsIn, sumOf, textIn } from "../headless/line-fields.ts";

/** The events of Pi, which the embedded agent prints as well. */
export function piNews(line: Readonly<Record<string, unknown>>): readonly News[] {
  if (line.type === "session") {
    const id = textIn(line.id);
    return id === undefined ? [] : [{ kind: "session", id }];
  }
  if (line.type === "tool_execution_start") {
    return [{ kind: "call", tool: textIn(line.toolName) ?? "" }];
  }
  if (line.type === "tool_execution_end") return [{ kind: "called" }];
  if (line.type === "message_end") return messageNews(at(line, "message"));
  // Pi may leave before it has printed the end of its work, so each turn that is its last will do.
  return line.type === "turn_end" ? endNews(at(line, "message")) : [];
}

function messageNews(message: Readonly<Record<string, unknown>>): readonly News[] {
  if (message.role !== "assistant") return [];
  const usage = at(message, "usage");
  const tokens = sumOf(usage, "input", "output", "cacheRead", "cacheWrite");
  const dollars = at(usage, "cost").total;
  const text = textOf(message);
  return [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    { kind: "use", tokens, ...(typeof dollars === "number" && dollars > 0 && { dollars }) },
  ];
}

function endNews(message: Readonly<Record<string, unknown>>): readonly News[] {
  const reason = textIn(message.stopReason);
  if (reason === "toolUse") return [];
  if (reason === "error" || reason === "aborted") {
    return [{ kind: "failed", reason: textIn(message.errorMessage) ?? `It stopped: ${reason}.` }];
  }
  return [{ kind: "done", text: textOf(message) }];
}

function textOf({ content }: Readonly<Record<string, unknown>>): string {
  const blocks = recordsIn(content).filter(({ type }) => type === "text");
  return blocks.map(({ text }) => textIn(text) ?? "").join("");
}
