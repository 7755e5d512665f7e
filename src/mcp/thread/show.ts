import { Type } from "typebox";
import { type StoryEntry, storyEntryOf, storyInOrder } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { mismatch } from "../../events/index.ts";
import { openRepo } from "../../git/index.ts";
import {
  type Checkpoint,
  conversation,
  findCheckpoints,
  openRepoRecord,
  type RepoRecord,
  recordRefusal,
  type SessionMetadata,
  sessionsWithTurns,
  type Turn,
  turnNamed,
  turns,
  withCutOff,
} from "../../record/index.ts";
import type { ServedToolInfo } from "../protocol.ts";

const Parameters = Type.Object({
  what: Type.Optional(
    Type.String({ description: "A commit, checkpoint, session or turn. HEAD if left out." }),
  ),
  chars: Type.Optional(
    Type.Integer({ minimum: 500, maximum: 60_000, description: "At most so many; else 8000." }),
  ),
});

export const SHOW_TOOL: ServedToolInfo = {
  name: "show",
  description:
    "Shows what coding agents did in this repository: the prompts, answers, tool calls, files and tokens behind a commit, checkpoint, session or turn.",
  parameters: JSON.parse(JSON.stringify(Parameters)),
};

const USUAL_CHARS = 8_000;
/** The longest a single text may be: whoever wants to know more reads the code. */
const MOST_SAID = 600;
const MOST_CALL = 160;
const MOST_FILES = 40;
const MOST_TURNS = 30;

/** What `seam show` shows, small enough for a model. Throws what there is to be said instead. */
export async function show(
  params: Readonly<Record<string, unknown>>,
  { cwd }: { readonly cwd: string },
): Promise<string> {
  const problem = mismatch(Parameters, params);
  if (problem !== undefined) throw new Error(`The arguments are wrong: ${problem}.`);
  const { what = "HEAD", chars = USUAL_CHARS } = params;
  const repo = await openRepo(cwd);
  if (!repo) throw new SeamError("SEAM_RECORD_NO_REPO", { path: cwd });
  const refusal = await recordRefusal(repo, { refs: true });
  if (refusal) throw refusal;
  const record = openRepoRecord(repo);
  try {
    return bounded(await linesOf(record, String(what)), Number(chars));
  } finally {
    await record.store.close();
  }
}

async function linesOf(record: RepoRecord, what: string): Promise<string[]> {
  const { store } = record;
  try {
    const { checkpoints, commit } = await findCheckpoints(store, what);
    const head = commit ? [`commit ${commit.id.slice(0, 12)} ${firstLine(commit.message)}`] : [];
    const shown = await Promise.all(checkpoints.map((one) => checkpointLines(record, one)));
    return [...head, ...shown.flat()];
  } catch (error) {
    if (error instanceof SeamError && error.code === "SEAM_RECORD_AMBIGUOUS") throw error;
    const turn = await turnNamed(store, what);
    if (turn) return turnLines(await withCutOff(record, turn));
    const lines = await sessionLines(record, what);
    if (lines.length === 0) throw error;
    return lines;
  }
}

async function checkpointLines({ store }: RepoRecord, checkpoint: Checkpoint): Promise<string[]> {
  const lines = [`checkpoint ${checkpoint.id}`];
  for (const session of checkpoint.sessions) {
    const { metadata } = session;
    const said = await conversation(store, checkpoint, session);
    const entries = (said ?? []).flatMap(({ entry }) => storyEntryOf(entry, MOST_SAID) ?? []);
    lines.push(
      `session ${metadata.session_id}: ${metadata.agent ?? "unknown agent"}, ${metadata.model}, ${metadata.created_at}${tokensOf(metadata)}`,
      filesLine(metadata.files_touched),
      ...storyLines(entries),
    );
  }
  return lines;
}

function turnLines({ id, session_id, agent, at, prompt, story, files = [] }: Turn): string[] {
  const told = story ? storyInOrder(story.told).entries : [];
  const opening: StoryEntry[] =
    told[0]?.kind === "prompt" || prompt === undefined ? [] : [{ kind: "prompt", text: prompt }];
  return [
    `turn ${id} of session ${session_id}: ${agent}, ${story?.model ?? "unknown model"}, ${at}`,
    filesLine(files),
    ...storyLines([...opening, ...told]),
  ];
}

/** A session that no checkpoint has yet: its turns, the latest last. */
async function sessionLines({ store }: RepoRecord, what: string): Promise<string[]> {
  if (what === "") return [];
  const ids = await sessionsWithTurns(store, what);
  const [id, ...others] = ids.includes(what) ? [what] : ids;
  if (id === undefined) return [];
  if (others.length > 0) {
    const list = ids.map((one) => `\n  ${one}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: what, list });
  }
  const found = await turns(store, { session: id, limit: MOST_TURNS });
  return [
    `session ${id}, not committed yet; show one of its turns for more`,
    ...found
      .reverse()
      .map((turn) => `turn ${turn.id} ${turn.at} ${cut(firstLine(turn.prompt ?? ""), MOST_CALL)}`),
  ];
}

function storyLines(entries: readonly StoryEntry[]): string[] {
  return entries.map(({ kind, text = "", tool, refused }) => {
    if (kind === "call") return `- ${tool ?? "call"}: ${cut(firstLine(text), MOST_CALL)}`;
    if (kind === "failure" && refused) return "  stopped by the user";
    if (kind === "failure") return `  failed: ${cut(firstLine(text), MOST_CALL)}`;
    if (kind === "compaction") return "(the conversation was compacted)";
    return `${kind === "prompt" ? "USER" : "AGENT"}: ${cut(text.trim(), MOST_SAID)}`;
  });
}

function filesLine(files: readonly string[]): string {
  const shown = files.slice(0, MOST_FILES).join(", ") || "none";
  const more = files.length - MOST_FILES;
  return `files: ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function tokensOf({ token_usage: used }: SessionMetadata): string {
  return used ? `, ${used.input_tokens} tokens in, ${used.output_tokens} out` : "";
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** Whole lines, as many as fit; what is left out is said. */
function bounded(lines: readonly string[], most: number): string {
  const kept: string[] = [];
  let left = most;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const missing = lines.length - kept.length;
  return missing === 0
    ? kept.join("\n")
    : `${kept.join("\n")}\n[${missing} more lines: ask for a turn, or for more chars]`;
}
