import { storyEntryOf } from "../../agents/index.ts";
import type { Checkpoint, Found, SessionMetadata } from "../../record/index.ts";
import { lineWidth, paint } from "../print.ts";
import { modelName, oneLine, plain, tokensLine, when } from "./format.ts";
import { flow } from "./lines.ts";
import {
  endingOf,
  forkParts,
  guestParts,
  section,
  skillLine,
  tokenLines,
  type Wish,
  whereParts,
} from "./show-turn.ts";
import type { ShownSession } from "./shown-session.ts";
import { storyLines, type Told } from "./story-lines.ts";

const BY: Readonly<Record<Found["by"], string>> = {
  id: "",
  trailer: "",
  commit: "found by its commit: the message has no trailer",
  content: "found by its content: the message has no trailer",
  session: "",
};

/** As wide as the words before what they name. */
const INDENT = " ".repeat("checkpoint ".length);

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
  if (commit) {
    const subject = commit.message.split("\n")[0] ?? "";
    lines.push(INDENT + oneLine(subject, lineWidth() - INDENT.length));
  }
  if (BY[by]) lines.push(INDENT + paint("dim", BY[by]));
  if (metadata.imported) lines.push(INDENT + paint("dim", "imported"));
  if (metadata.token_usage && sessions.length > 1) {
    lines.push(`tokens     ${tokensLine(metadata.token_usage)}`);
  }
  for (const session of sessions) lines.push("", ...sessionLines(session, wish));
  return [...lines, ""];
}

const UNUSED = "none for this commit";

/** The work of a turn can be in several commits: what it used is in the first one's checkpoint. */
function isUnused({ token_usage }: SessionMetadata): boolean {
  const { api_call_count = 1, output_tokens = 0, subagent_tokens } = token_usage ?? {};
  return api_call_count === 0 && output_tokens === 0 && !subagent_tokens;
}

function sessionLines(session: ShownSession, wish: Wish): string[] {
  const { metadata, prompt, conversation, subagents, changedByOthers } = session;
  const lines = [
    ...flow(
      [
        paint("bold", metadata.agent ?? "An agent"),
        modelName(metadata.model),
        paint("dim", when(session.at)),
        metadata.cut_off ? `last turn ${endingOf({ cut_off: metadata.cut_off })}` : "",
      ],
      "  ",
      "  ",
    ),
    ...flow(
      [
        `  session ${metadata.session_id}`,
        ...forkParts(metadata),
        ...whereParts(metadata),
        ...guestParts(metadata),
      ],
      "  ",
      "  ",
    ),
  ];
  const add = (title: string, content: readonly string[]) => lines.push(...section(title, content));
  const { blocked_calls: blocked = [], allowed_calls: allowed = [] } = metadata;
  const own = (conversation ?? []).flatMap(({ entry, skill }): Told[] => {
    const one = storyEntryOf(entry, wish.expand ? Number.POSITIVE_INFINITY : undefined);
    return one ? [{ entry: one, skill }] : [];
  });
  // Some agents write what subagents do into the same transcript.
  const isWhole = own.some(({ entry }) => entry.child !== undefined);
  const told = own.flatMap((one) => {
    const { kind, call_id = "" } = one.entry;
    const below = isWhole || kind !== "call" ? [] : (subagents[call_id] ?? []);
    return [one, ...below.map((entry) => ({ entry }))];
  });
  const asked = (prompt ?? "").split("\n").filter((line) => line.trim() !== "");
  const [first] = told;
  // A single prompt stands above what happened; several stand where they were said. What follows a
  // commit in the middle of a turn has none of its own: it was asked for before.
  const said = told.filter(({ entry }) => entry.kind === "prompt").length;
  const isSaidAbove = said === 1 && first?.entry.kind === "prompt";
  if (said <= 1) add("Prompt", asked);
  add(
    "What happened",
    storyLines(isSaidAbove ? told.slice(1) : told, { ...wish, blocked, allowed }),
  );
  add("Skills", (metadata.skill_events ?? []).map(skillLine));
  add("Files", metadata.files_touched);
  add("Changed by others between turns", changedByOthers);
  add(
    "Taken out",
    (metadata.redactions ?? []).map(({ rule, count }) => `${rule}: ${count}`),
  );
  add("Tokens", isUnused(metadata) ? [UNUSED] : tokenLines(metadata.token_usage, metadata));
  if (session.cost !== undefined) add("Cost", [`$${session.cost.toFixed(4)}`]);
  return lines;
}
