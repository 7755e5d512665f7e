import { textOf } from "../../agents/index.ts";
import type { Checkpoint, Found, Said } from "../../record/index.ts";
import type { ShownSession } from "../commands/show.ts";
import { paint } from "../print.ts";
import { oneLine, plain, tokensLine, when } from "./format.ts";
import { flow, indented } from "./lines.ts";

const BY: Readonly<Record<Found["by"], string>> = {
  id: "",
  trailer: "",
  commit: "found by its commit: the message has no trailer",
  content: "found by its content: the message has no trailer",
  session: "",
};

interface Wish {
  /** Skills are shown with what is in them. */
  readonly expand: boolean;
  /** Files below it are named from there. */
  readonly root: string | undefined;
}

/** A checkpoint for people to read. */
export function showCheckpoint(
  checkpoint: Checkpoint,
  ofSessions: readonly ShownSession[],
  found: Found,
  wish: Wish,
): string[] {
  const { id, metadata } = plain(checkpoint);
  const { by } = found;
  const commit = plain(found.commit);
  const sessions = plain(ofSessions);
  const lines = [`checkpoint ${paint("yellow", id)}`];
  const sha = commit?.id ?? metadata.commit_sha;
  if (sha)
    lines.push(`commit     ${sha.slice(0, 12)}${metadata.branch ? `  on ${metadata.branch}` : ""}`);
  if (commit) lines.push(`           ${oneLine(commit.message.split("\n")[0] ?? "")}`);
  if (BY[by]) lines.push(`           ${paint("dim", BY[by])}`);
  if (metadata.imported) lines.push(`           ${paint("dim", "imported")}`);
  if (metadata.token_usage && sessions.length > 1) {
    lines.push(`tokens     ${tokensLine(metadata.token_usage)}`);
  }
  for (const session of sessions) lines.push("", ...sessionLines(session, wish));
  return [...lines, ""];
}

function sessionLines(session: ShownSession, wish: Wish): string[] {
  const { metadata, prompt, conversation, changedByOthers } = session;
  const lines = [
    ...flow(
      [
        paint("bold", metadata.agent ?? "An agent"),
        metadata.model,
        paint("dim", when(metadata.created_at)),
      ],
      "  ",
      "  ",
    ),
    `  session ${metadata.session_id}`,
  ];
  const section = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push("", `  ${title}`, ...indented(content, "    "));
  };
  section(
    "Prompts",
    (prompt ?? "").split("\n").filter((line) => line.trim() !== ""),
  );
  section("What happened", conversation ? conversationLines(conversation, wish) : []);
  section(
    "Stopped",
    (metadata.blocked_calls ?? []).map(
      ({ tool, reason, by }) =>
        `${paint("red", "✗")} ${oneLine(tool)}: ${oneLine(reason, 200)}${by ? ` (by ${by})` : ""}`,
    ),
  );
  section(
    "Skills",
    (metadata.skill_events ?? []).map(
      ({ skill, event_type }) =>
        `${skill.name} (${event_type === "tool_invocation" ? "by the model" : "by the user"})`,
    ),
  );
  section("Files", metadata.files_touched);
  section("Changed by others between turns", changedByOthers);
  section(
    "Taken out",
    (metadata.redactions ?? []).map(({ rule, count }) => `${rule}: ${count}`),
  );
  if (metadata.token_usage) section("Tokens", [tokensLine(metadata.token_usage)]);
  if (session.cost !== undefined) section("Cost", [`$${session.cost.toFixed(4)}`]);
  return lines;
}

/** One line for each thing; a skill is one line as well, unless all is to be seen. */
function conversationLines(said: readonly Said[], { expand, root }: Wish): string[] {
  const lines: string[] = [];
  const folded = new Set<string>();
  for (const { entry, skill } of said) {
    if (skill && !expand) {
      const use = skill.id ?? JSON.stringify(skill);
      if (!folded.has(use))
        lines.push(`${paint("magenta", "▸")} ${skill.collapse?.label ?? skill.skill.name}`);
      folded.add(use);
      continue;
    }
    const { kind, text, tool } = entry;
    if (kind === "user" && text !== undefined) lines.push(`${paint("cyan", "›")} ${oneLine(text)}`);
    if (kind === "assistant" && text !== undefined) lines.push(`  ${oneLine(text)}`);
    if (kind === "tool_call" && tool) {
      lines.push(`${paint("green", "•")} ${callLine(tool, root)}`);
    }
    if (kind === "tool_result" && tool?.isError) {
      lines.push(`  ${paint("red", "failed")} ${oneLine(outputLine(tool.output))}`);
    }
    if (kind === "compaction") lines.push(paint("dim", "— compacted —"));
  }
  return lines;
}

/** What a call gave back: text, blocks of it, or whatever the agent made of it. */
function outputLine(output: unknown): string {
  return textOf(output) ?? (output === undefined ? "" : JSON.stringify(output));
}

/** A call with what says most about it. */
function callLine(
  { name, input }: NonNullable<Said["entry"]["tool"]>,
  root: string | undefined,
): string {
  const fields =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const telling = ["command", "path", "file_path", "pattern", "name", "skill", "description"];
  const key = telling.find((one) => typeof fields[one] === "string");
  if (key === undefined) return name;
  const words = String(fields[key]);
  const isHere = root !== undefined && words.startsWith(`${root}/`);
  return oneLine(`${name} ${isHere ? words.slice(root.length + 1) : words}`);
}
