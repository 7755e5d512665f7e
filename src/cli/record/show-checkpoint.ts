import { storyEntryOf } from "../../agents/index.ts";
import type { Checkpoint, Found } from "../../record/index.ts";
import { lineWidth, paint } from "../print.ts";
import { isTold, isUnused, modelName, money, oneLine, plain, tokensLine, when } from "./format.ts";
import { flow } from "./lines.ts";
import {
  endingOf,
  forkParts,
  guestParts,
  section,
  skillLines,
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

/** The width of the words that stand before what they name. */
const INDENT = " ".repeat("checkpoint ".length);

/** A checkpoint for people to read. */
export function showCheckpoint(
  checkpoint: Checkpoint,
  ofSessions: readonly ShownSession[],
  found: Found & { readonly isOff?: boolean },
  wish: Wish,
): string[] {
  const { id, metadata } = plain(checkpoint);
  const { by } = found;
  const commit = plain(found.commit);
  const sessions = plain(ofSessions);
  const lines = [`checkpoint ${paint("yellow", id)}`];
  const sha = commit?.id ?? metadata.commit_sha;
  if (sha) lines.push(`commit     ${sha.slice(0, 12)}${placeOf(sha, metadata)}`);
  if (commit) {
    const subject = commit.message.split("\n")[0] ?? "";
    lines.push(INDENT + oneLine(subject, lineWidth() - INDENT.length));
  }
  if (found.isOff) lines.push(INDENT + paint("yellow", "It is on no branch any more."));
  if (BY[by]) lines.push(INDENT + paint("dim", BY[by]));
  if (metadata.imported) lines.push(INDENT + paint("dim", "imported"));
  if (metadata.token_usage && sessions.length > 1) {
    const parts = `tokens     ${tokensLine(metadata.token_usage)}`.split(/(?<=;) /);
    lines.push(...flow(parts, " ", INDENT));
  }
  for (const session of sessions) lines.push("", ...sessionLines(session, wish));
  return [...lines, ""];
}

/** A commit that was made anew, or copied, need not be on the branch that the first one was on. */
function placeOf(sha: string, { branch, commit_sha = sha }: Checkpoint["metadata"]): string {
  const on = branch ? `  on ${branch}` : "";
  return sha === commit_sha ? on : `  made from ${commit_sha.slice(0, 12)}${on}`;
}

const UNUSED = "none for this commit";

/** Files that an agent changed after a commit of its turn: how that came about is told with the commit. */
function toldBefore({ conversation, metadata }: ShownSession): string[] {
  const { checkpoint_transcript_start: start = 0, session_id } = metadata;
  if (conversation === undefined || start === 0 || !isUnused(metadata.token_usage)) return [];
  return [`Told with an earlier commit: seam show ${session_id}`];
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
  const happened = storyLines(isSaidAbove ? told.slice(1) : told, { ...wish, blocked, allowed });
  add("What happened", happened.length === 0 ? toldBefore(session) : happened);
  add("Skills", skillLines(metadata.skill_events ?? []));
  const perhaps = new Set(metadata.files_one_of);
  add(
    "Files",
    metadata.files_touched.filter((path) => !perhaps.has(path)),
  );
  add("Files that it or another session changed", [...perhaps]);
  add("Changed by others between turns", changedByOthers);
  add(
    "Taken out",
    (metadata.redactions ?? []).map(({ rule, count }) => `${rule}: ${count}`),
  );
  add(
    "Tokens",
    isUnused(metadata.token_usage) && isTold(metadata.token_usage, metadata.agent)
      ? [UNUSED]
      : tokenLines(metadata.token_usage, metadata),
  );
  if (session.cost !== undefined) add("Cost", [`$${money(session.cost)}`]);
  return lines;
}
