import type { Checkpoint, Found, Said } from "../../record/index.ts";
import type { ShownSession } from "../commands/show.ts";
import { paint } from "../print.ts";
import { oneLine, plainText, tokensLine, when } from "./format.ts";

const BY: Readonly<Record<Found["by"], string>> = {
  id: "",
  trailer: "",
  commit: "found by its commit: the message has no trailer",
  content: "found by its content: the message has no trailer",
  session: "",
};

/** A checkpoint for people to read. */
export function showCheckpoint(
  { id, metadata }: Checkpoint,
  sessions: readonly ShownSession[],
  { commit, by }: Found,
  { expand }: { readonly expand: boolean },
): string[] {
  const lines = [`checkpoint ${paint("yellow", id)}`];
  const sha = commit?.id ?? metadata.commit_sha;
  if (sha)
    lines.push(`commit     ${sha.slice(0, 12)}${metadata.branch ? `  on ${metadata.branch}` : ""}`);
  if (commit) lines.push(`           ${oneLine(commit.message.split("\n")[0] ?? "")}`);
  if (BY[by]) lines.push(`           ${paint("dim", BY[by])}`);
  if (metadata.imported) lines.push(`           ${paint("dim", "imported")}`);
  if (metadata.token_usage) lines.push(`tokens     ${tokensLine(metadata.token_usage)}`);
  for (const session of sessions) lines.push("", ...sessionLines(session, expand));
  return [...lines, ""];
}

function sessionLines(session: ShownSession, expand: boolean): string[] {
  const { metadata, prompt, conversation, changedByOthers } = session;
  const lines = [
    `${paint("bold", metadata.agent ?? "An agent")}  ${metadata.model}  ${paint("dim", when(metadata.created_at))}`,
    `  session ${metadata.session_id}`,
  ];
  const section = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push("", `  ${title}`, ...content.map((line) => `    ${line}`));
  };
  section(
    "Prompts",
    plainText(prompt ?? "")
      .split("\n")
      .filter((line) => line.trim() !== ""),
  );
  section("What happened", conversation ? conversationLines(conversation, expand) : []);
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
function conversationLines(said: readonly Said[], expand: boolean): string[] {
  const lines: string[] = [];
  const folded = new Set<unknown>();
  for (const { entry, skill } of said) {
    if (skill && !expand) {
      if (!folded.has(skill))
        lines.push(`${paint("magenta", "▸")} ${skill.collapse?.label ?? skill.skill.name}`);
      folded.add(skill);
      continue;
    }
    const { kind, text, tool } = entry;
    if (kind === "user" && text !== undefined) lines.push(`${paint("cyan", "›")} ${oneLine(text)}`);
    if (kind === "assistant" && text !== undefined) lines.push(`  ${oneLine(text)}`);
    if (kind === "tool_call" && tool) lines.push(`${paint("green", "•")} ${callLine(tool)}`);
    if (kind === "tool_result" && tool?.isError) {
      lines.push(`  ${paint("red", "failed")} ${oneLine(String(tool.output ?? ""))}`);
    }
    if (kind === "compaction") lines.push(paint("dim", "— compacted —"));
  }
  return lines;
}

/** A call with what says most about it. */
function callLine({ name, input }: NonNullable<Said["entry"]["tool"]>): string {
  const fields =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const telling = ["command", "path", "file_path", "pattern", "name", "skill", "description"];
  const key = telling.find((one) => typeof fields[one] === "string");
  return key === undefined ? name : `${name} ${oneLine(String(fields[key]), 60)}`;
}
