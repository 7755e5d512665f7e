import {
  type Checkpoint,
  latestCheckpoints,
  type RepoRecord,
  type Turn,
} from "../../record/index.ts";
import { paint } from "../print.ts";
import { agentType, plain, plainText, plural, when } from "./format.ts";
import { indented } from "./lines.ts";

/** Checkpoints that a turn's work is in. */
export function checkpointsOfTurn({ store }: RepoRecord, { id }: Turn): Promise<Checkpoint[]> {
  const isIn = ({ sessions }: Checkpoint) =>
    sessions.some(({ metadata }) => metadata.turn_ids?.includes(id) || metadata.turn_id === id);
  return latestCheckpoints(store, Number.MAX_SAFE_INTEGER, isIn);
}

/** A turn for people to read. */
export function turnLines(turn: Turn, checkpoints: readonly Checkpoint[]): string[] {
  const { id, agent, at, branch, session_id, prompt, files, end } = plain(turn);
  const where = branch === undefined ? "" : `  on ${branch}`;
  const lines = [
    `turn ${paint("cyan", id)}`,
    `${paint("bold", agentType(agent))}  ${paint("dim", when(at))}${where}${end ? "" : "  under way"}`,
    `  session ${session_id}`,
  ];
  const section = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push("", `  ${title}`, ...indented(content, "    "));
  };
  section("Prompt", plainText(prompt ?? "").split("\n"));
  section("Files that changed", files ?? []);
  section("Not in its snapshots", leftOutLines(turn));
  if (turn.start?.record.late) {
    section("Its start", [
      "was looked at late: changes from the beginning of the turn may be in it",
    ]);
  }
  section(
    "Checkpoints",
    checkpoints.map((one) => `${paint("yellow", one.id)}  seam show ${one.id}`),
  );
  section("To go back to its start", [`seam rewind ${id}`]);
  return [...lines, ""];
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

/** Of both snapshots, each place once. */
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
