import { type StoryEntry, storyInOrder } from "../../agents/index.ts";
import type { SkillEvent, TokenUsage } from "../../events/index.ts";
import {
  type Checkpoint,
  crewTaskOf,
  latestCheckpoints,
  type RepoRecord,
  type SessionState,
  storyOf,
  type Turn,
} from "../../record/index.ts";
import { paint } from "../print.ts";
import { shownPath } from "../shown-path.ts";
import {
  agentType,
  isTold,
  modelName,
  plain,
  plainText,
  plural,
  tokensLine,
  when,
} from "./format.ts";
import { flow, indented } from "./lines.ts";
import { storyLines, type Told } from "./story-lines.ts";

/** Checkpoints that a turn's work is in. */
export function checkpointsOfTurn({ store }: RepoRecord, { id }: Turn): Promise<Checkpoint[]> {
  return latestCheckpoints(store, Number.MAX_SAFE_INTEGER, (one) => hasTurn(one, id));
}

export function hasTurn({ sessions }: Checkpoint, id: string): boolean {
  return sessions.some(
    ({ metadata }) => metadata.turn_ids?.includes(id) || metadata.turn_id === id,
  );
}

export interface Wish {
  /** Skills are shown with what is in them. */
  readonly expand: boolean;
  /** Files below it are named from there. */
  readonly root: string | undefined;
}

/** A turn for people to read. */
export function turnLines(
  turn: Turn,
  checkpoints: readonly Checkpoint[],
  wish: Wish,
  live?: SessionState,
): string[] {
  const { id, agent, at, session_id, story } = plain(turn);
  const lines = [
    `turn ${paint("cyan", id)}`,
    ...flow(
      [
        paint("bold", agentType(agent)),
        modelName(story?.model ?? live?.model ?? ""),
        paint("dim", when(at)),
        endingOf(turn),
      ],
      "  ",
      "  ",
    ),
    ...flow(
      [
        `  session ${session_id}`,
        ...forkParts(story ?? live),
        ...whereParts(turn),
        ...guestParts(story ?? live),
      ],
      "  ",
      "  ",
    ),
  ];
  lines.push(...turnBody(turn, wish, live));
  lines.push(
    ...section(
      "Checkpoints",
      checkpoints.map((one) => `${paint("yellow", one.id)}  seam show ${one.id}`),
    ),
  );
  if (!turn.thinned) lines.push(...section("To go back to its start", [`seam rewind ${id}`]));
  return [...lines, ""];
}

const CUT_OFF: Readonly<Record<NonNullable<Turn["cut_off"]>, string>> = {
  user: "stopped by its user",
  agent: "cut off: its agent ended",
  unknown: "cut off",
};

/** How a turn ended, where that is not as it should be. */
export function endingOf({ end, cut_off }: Pick<Turn, "end" | "cut_off">): string {
  if (cut_off) return paint("red", CUT_OFF[cut_off]);
  return end ? "" : "under way";
}

/** Where a session that was forked comes from. */
export function forkParts(
  { fork_of }: { readonly fork_of?: string } = {},
  short: (id: string) => string = (id) => id,
): string[] {
  return fork_of === undefined ? [] : [`fork of ${short(plainText(fork_of))}`];
}

/** Where a session got its prompt, if it was in another repository or work tree. */
export function guestParts({ works_in }: { readonly works_in?: string } = {}): string[] {
  return works_in === undefined ? [] : [`prompted in ${plainText(works_in)}`];
}

const UNTOLD = "not known: this agent does not write them down";

/** What the model used, or where that is counted. */
export function tokenLines(
  usage: TokenUsage | undefined,
  { works_in, agent }: { readonly works_in?: string; readonly agent?: string },
): string[] {
  if (works_in !== undefined) return [`counted in ${plainText(works_in)}, where it was prompted`];
  if (!isTold(usage, agent)) return [UNTOLD];
  return usage ? [tokensLine(usage)] : [];
}

/** The branch and, if it is not the main one, the work tree; of a crew, its task and run. */
export function whereParts({ branch, worktree }: Pick<Turn, "branch" | "worktree">): string[] {
  const crew = crewTaskOf(branch);
  if (crew) {
    const run = plainText(crew.run);
    return [`task ${plainText(crew.task)} of the crew ${run} (seam crew show ${run})`];
  }
  return [
    ...(branch === undefined ? [] : [`on ${plainText(branch)}`]),
    ...(worktree === undefined ? [] : [`in worktree ${plainText(worktree)}`]),
  ];
}

const LEFT_RUNNING = [
  "A program that one of its commands started. The file its output goes to is",
  "recorded with this turn; of others it is not known which ones it changed.",
];

/** What a turn was about and what happened in it. */
export function turnBody(turn: Turn, wish: Wish, live?: SessionState): string[] {
  const now = live?.turn_id === turn.id && !turn.end ? live : undefined;
  const {
    prompt,
    files = now?.turn_files,
    elsewhere = [],
    others = [],
    one_of = [],
    unclaimed = [],
    after_stop = [],
  } = plain(turn);
  const story = plain(turn.story ?? (now && storyOf(now)));
  const lines = section(
    "Prompt",
    plainText(prompt ?? "")
      .split("\n")
      .filter(isText),
  );
  if (story) {
    const { blocked_calls: blocked = [], allowed_calls: allowed = [] } = story;
    const { skill_events: skills = [] } = story;
    const told = storyInOrder(story.told);
    const parts = withSkills(told.entries, skills).slice(isSaid(told.entries[0], prompt) ? 1 : 0);
    const count = told.left_out ?? 0;
    const after = 20 - (told.entries.length - parts.length);
    lines.push(
      ...section(
        "What happened",
        storyLines(parts, {
          ...wish,
          blocked,
          allowed,
          ...(count > 0 && { leftOut: { count, after } }),
        }),
      ),
      ...section("Skills", skillLines(skills)),
    );
  }
  lines.push(
    ...section("Files that changed", files ?? []),
    ...others.flatMap((one) =>
      section(`Changed meanwhile by ${agentType(one.agent)}, session ${one.session_id}`, one.files),
    ),
    ...one_of.flatMap((one) =>
      section(`Changed by it or by ${agentType(one.agent)}, session ${one.session_id}`, one.files),
    ),
    ...section("Changed meanwhile, not known to be its work", unclaimed),
    ...section("Changed after it was stopped", after_stop),
    ...section("Left running at its end", turn.left_running ? LEFT_RUNNING : []),
    ...section(
      "Files elsewhere, not recorded here",
      elsewhere.map((path) => shownPath(path)),
    ),
    ...section("Not in its snapshots", leftOutLines(turn)),
  );
  if (turn.start?.record.late) {
    const text = "was looked at late: changes from the beginning of the turn may be in it";
    lines.push(...section("Its start", [text]));
  }
  // Of a turn under way nothing may be known yet: that is not the same as nothing.
  const isCounted = story && (turn.end || story.token_usage.api_call_count > 0);
  if (isCounted)
    lines.push(
      ...section("Tokens", tokenLines(story.token_usage, { ...story, agent: turn.agent })),
    );
  return lines;
}

export function section(title: string, content: readonly string[]): string[] {
  return content.length > 0 ? ["", `  ${title}`, ...indented(content, "    ")] : [];
}

/** Each skill once, with how often and by whom it was used. */
export function skillLines(events: readonly SkillEvent[]): string[] {
  const uses = new Map<string, number>();
  for (const { skill, event_type } of events) {
    const use = `${skill.name} (by the ${event_type === "tool_invocation" ? "model" : "user"}`;
    uses.set(use, (uses.get(use) ?? 0) + 1);
  }
  return [...uses].map(([use, times]) => `${use}${times > 1 ? `, ${times} times` : ""})`);
}

const isText = (line: string) => line.trim() !== "";

/** The prompt stands above already. */
function isSaid(first: StoryEntry | undefined, prompt = ""): boolean {
  return first?.kind === "prompt" && prompt.trim().startsWith((first.text ?? "").trim());
}

function withSkills(entries: readonly StoryEntry[], skills: readonly SkillEvent[]): Told[] {
  return entries.map((entry) => ({
    entry,
    skill: skills.find(({ collapse, native, transcript_anchor }) => {
      if (!collapse?.default_collapsed || entry.call_id === undefined) return false;
      return entry.call_id === (transcript_anchor?.tool_use_id ?? native?.tool_use_id);
    }),
  }));
}

/** More would scroll away what matters. */
const MOST_LEFT_OUT = 10;

/** Places with too many untracked files; what else is left out is a matter of single files. */
function leftOutLines(turn: Turn): string[] {
  const lines = leftOutOf(turn)
    .filter(({ why }) => why === "too many")
    .map(
      ({ path, files = 1 }) => `${plainText(path)}  ${plural(files, "untracked file")}: too many`,
    );
  const rest = lines.length - MOST_LEFT_OUT;
  return rest > 0 ? [...lines.slice(0, MOST_LEFT_OUT), `… and ${rest} more places`] : lines;
}

/** The places of both snapshots, each once. */
function leftOutOf({ start, end }: Turn) {
  const all = [start, end].flatMap((one) => one?.record.left_out ?? []);
  return [...new Map(all.map((one) => [one.path, one])).values()];
}

export function turnJson(turn: Turn): object {
  const { start, end, ...rest } = turn;
  const left_out = leftOutOf(turn);
  return {
    ...rest,
    start: start?.commit,
    end: end?.commit,
    ...(start?.record.late && { late: true }),
    ...(left_out.length > 0 && { left_out }),
  };
}
