import { textOfContent } from "../../events/index.ts";
import { SessionStore } from "../../host/index.ts";
import { treeItems } from "../pickers/tree-items.ts";
import { pick } from "./pick.ts";
import type { CommandSurroundings, ScreenCommand } from "./screen-command.ts";

async function resume({ agent, stage, notify }: CommandSurroundings): Promise<void> {
  const own = agent.session.getSessionFile();
  const sessions = new SessionStore()
    .list(agent.session.getCwd())
    .filter(({ path, messageCount }) => path !== own && messageCount > 0);
  if (sessions.length === 0) {
    notify("There is no other session in this folder. Those of other agents: seam log");
    return;
  }
  const items = sessions.map(({ path, name, firstMessage, modified, messageCount }) => ({
    value: path,
    label: (name ?? firstMessage).replace(/\s+/g, " ").slice(0, 100) || "nothing said yet",
    description: `${modified.toLocaleString("sv").slice(0, 16)}, ${messageCount} messages`,
  }));
  const chosen = await pick(stage, "Sessions of this folder", items);
  if (chosen !== undefined) await agent.switchSession(chosen);
}

const SUMMARIES = ["No summary", "Summarise the branch I leave"];

async function tree(around: CommandSurroundings): Promise<void> {
  const { agent, stage, setEditorText } = around;
  const { session } = agent;
  const items = treeItems(session.getTree(), session.getLeafId(), "talk");
  const leaf = session.getLeafId();
  const chosen = await pick(stage, "Go to a point of this session", items, {
    ...(leaf !== null && { selected: leaf }),
    hint: "type to filter, enter: go there, esc: cancel",
  });
  if (chosen === undefined || chosen === session.getLeafId()) return;
  const how = await stage.dialogs.select("What you leave stays in the session.", SUMMARIES);
  if (how === undefined) return;
  const moved = await agent.navigateTree(chosen, { summarize: how === SUMMARIES[1] });
  if (moved.cancelled) return;
  around.showSession();
  if (moved.editorText !== undefined) setEditorText(moved.editorText);
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
  { name: "resume", description: "go on with another session of this folder", run: resume },
  { name: "tree", description: "go to another point of this session", run: tree },
  { name: "fork", description: "a new session from an earlier prompt", run: fork },
  { name: "name", description: "give the session a name", run: name },
  { name: "session", description: "show what this session is", run: describe },
  { name: "compact", description: "sum up the conversation so far", run: compact },
];
