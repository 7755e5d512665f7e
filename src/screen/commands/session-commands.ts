import { copyFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SessionEntry } from "../../events/index.ts";
import { textOfContent } from "../../events/index.ts";
import { toolSummary } from "../blocks/tool-summary.ts";
import { type TreeFilter, treeItems } from "../pickers/tree-items.ts";
import { pick } from "./pick.ts";
import { resume } from "./resume.ts";
import type { CommandSurroundings, ScreenCommand } from "./screen-command.ts";

const SUMMARIES = ["No summary", "Summarise the branch I leave"];

async function tree({ agent, stage, setEditorText }: CommandSurroundings): Promise<void> {
  const { session } = agent;
  const itemsOf = (filter: TreeFilter) => treeItems(session.getTree(), session.getLeafId(), filter);
  const leaf = session.getLeafId();
  const chosen = await pick(stage, "Go to a point of this session", itemsOf("talk"), {
    ...(leaf !== null && { selected: leaf }),
    hint: "type to filter, enter: go there, esc: cancel",
    views: [
      { name: "everything", items: itemsOf("all") },
      { name: "prompts only", items: itemsOf("prompts") },
    ],
  });
  if (chosen === undefined || chosen === session.getLeafId()) return;
  const how = await stage.dialogs.select("What you leave stays in the session.", SUMMARIES);
  if (how === undefined) return;
  const moved = await agent.navigateTree(chosen, { summarize: how === SUMMARIES[1] });
  if (!moved.cancelled && moved.editorText !== undefined) setEditorText(moved.editorText);
}

async function fork({ agent, stage, notify, setEditorText }: CommandSurroundings): Promise<void> {
  const items = agent.session.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "user") return [];
    const text = textOfContent(entry.message.content).replace(/\s+/g, " ");
    return [{ value: entry.id, label: text.slice(0, 200) }];
  });
  if (items.length === 0) {
    notify("There is nothing to fork from yet.");
    return;
  }
  const chosen = await pick(
    stage,
    "A new session that goes on before this prompt",
    items.reverse(),
  );
  if (chosen === undefined) return;
  const { cancelled, editorText } = await agent.fork(chosen);
  if (!cancelled && editorText !== undefined) setEditorText(editorText);
}

function describe({ agent, notify }: CommandSurroundings): void {
  const { session, contextUsage } = agent;
  const messages = session.getBranch().filter(({ type }) => type === "message").length;
  const lines = [
    `Session ${session.getSessionId()}${session.getSessionName() ? `, ${session.getSessionName()}` : ""}`,
    `${messages} messages, ${session.getEntries().length} entries in all branches`,
    ...(contextUsage?.tokens
      ? [`${contextUsage.tokens.toLocaleString("en-US")} tokens in the context`]
      : []),
    session.getSessionFile() ?? "It is kept in memory only.",
  ];
  notify(lines.join("\n"));
}

function name({ agent, notify }: CommandSurroundings, args: string): void {
  if (args === "")
    notify(agent.session.getSessionName() ?? "This session has no name: /name <name>");
  else agent.session.appendSessionName(args);
}

async function compact({ agent, notify }: CommandSurroundings, args: string): Promise<void> {
  const { result, error } = await agent.compact(args === "" ? undefined : args);
  if (!result) notify(error ?? "The conversation could not be compacted.", "warning");
}

export const SESSION_COMMANDS: readonly ScreenCommand[] = [
  {
    name: "new",
    description: "begin a new session",
    run: async ({ agent }) => void (await agent.newSession()),
  },
  {
    name: "resume",
    description: "go on with another session of this folder, of any agent",
    run: resume,
  },
  { name: "tree", description: "go to another point of this session", run: tree },
  { name: "fork", description: "a new session from an earlier prompt", run: fork },
  { name: "name", description: "give the session a name", run: name },
  { name: "session", description: "show what this session is", run: describe },
  { name: "export", description: "write the conversation to a file", run: exportSession },
  { name: "compact", description: "sum up the conversation so far", run: compact },
];

/** Writes the conversation as Markdown, or the session itself if the file is to end in .jsonl. */
function exportSession({ agent, notify }: CommandSurroundings, args: string): void {
  const { session } = agent;
  const file = resolve(session.getCwd(), args || `seam-${session.getSessionId().slice(0, 8)}.md`);
  const stored = session.getSessionFile();
  if (file.endsWith(".jsonl") && stored !== undefined) copyFileSync(stored, file);
  else writeFileSync(file, markdownOf(session.getBranch()), { flag: "wx" });
  notify(`The conversation is in ${file}`);
}

function markdownOf(entries: readonly SessionEntry[]): string {
  const parts = entries.flatMap((entry) => {
    if (entry.type === "compaction") return [`## Summary\n\n${entry.summary}`];
    return entry.type === "message" ? messageParts(entry.message) : [];
  });
  return `${parts.join("\n\n")}\n`;
}

type Message = Extract<SessionEntry, { type: "message" }>["message"];

function messageParts(message: Message): string[] {
  if (message.role === "user") return [`## You\n\n${textOfContent(message.content)}`];
  if (message.role === "bashExecution") return [`\`! ${message.command}\``];
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [block.text.trim()];
    if (block.type !== "toolCall") return [];
    const { name, about } = toolSummary(block.name, block.arguments);
    return [`- ${name} \`${about.split("\n")[0]}\``];
  });
}
