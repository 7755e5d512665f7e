import { type SessionEntry, textOfContent } from "../../events/index.ts";
import type { SessionTreeNode } from "../../extensions/index.ts";
import type { SelectItem } from "../../terminal/index.ts";

/** Which entries of a session are shown in its tree. */
export type TreeFilter = "prompts" | "talk" | "all";

const LONGEST = 200;

/** The tree of a session as a list: a branch is indented below the place where it was left. */
export function treeItems(
  roots: readonly SessionTreeNode[],
  leafId: string | null,
  filter: TreeFilter,
): SelectItem[] {
  const items: SelectItem[] = [];
  // Without recursion: a session of many thousand entries is as deep as it is long.
  const open = [...roots].reverse().map((node) => ({ node, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    const { entry, children, label } = node;
    if (isShown(entry, filter) || label !== undefined || entry.id === leafId) {
      const mark = entry.id === leafId ? "● " : depth > 0 ? "└ " : "  ";
      const named = label === undefined ? "" : `[${label}] `;
      items.push({
        value: entry.id,
        label: `${"  ".repeat(Math.min(depth, 20))}${mark}${named}${describe(entry)}`,
      });
    }
    const inner = children.length > 1 ? depth + 1 : depth;
    for (const child of [...children].reverse()) open.push({ node: child, depth: inner });
  }
  return items;
}

function isShown(entry: SessionEntry, filter: TreeFilter): boolean {
  if (filter === "all") return true;
  if (entry.type === "compaction" || entry.type === "branch_summary") return true;
  if (entry.type !== "message") return false;
  const { role } = entry.message;
  if (filter === "prompts") return role === "user";
  if (role === "user") return true;
  return role === "assistant" && entry.message.content.some((block) => block.type === "text");
}

function describe(entry: SessionEntry): string {
  const short = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST);
  switch (entry.type) {
    case "message":
      return messageText(entry.message, short);
    case "compaction":
      return `summary: ${short(entry.summary)}`;
    case "branch_summary":
      return `summary of a branch: ${short(entry.summary)}`;
    case "model_change":
      return `model ${entry.provider}/${entry.modelId}`;
    case "thinking_level_change":
      return `thinking ${entry.thinkingLevel}`;
    case "custom":
    case "custom_message":
      return `[${entry.customType}]`;
    case "label":
      return `label ${entry.label ?? "taken away"}`;
    case "session_info":
      return `name ${entry.name ?? ""}`;
    case "usage":
      return "tokens used beside the conversation";
    case "context_edit":
      return "the context was edited";
  }
}

type Message = Extract<SessionEntry, { type: "message" }>["message"];

function messageText(message: Message, short: (text: string) => string): string {
  switch (message.role) {
    case "user":
      return `you: ${short(textOfContent(message.content))}`;
    case "assistant": {
      const text = message.content.flatMap((one) => (one.type === "text" ? [one.text] : []));
      const calls = message.content.flatMap((one) => (one.type === "toolCall" ? [one.name] : []));
      return short(text.join(" ")) || `calls ${calls.join(", ")}`;
    }
    case "toolResult":
      return `${message.isError ? "✗" : "✓"} ${message.toolName}`;
    case "bashExecution":
      return `! ${short(message.command)}`;
    case "custom":
      return `[${message.customType}]`;
    default:
      return `summary: ${short(message.summary)}`;
  }
}
