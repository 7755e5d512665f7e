import {
  type Checkpoint,
  latestCheckpoints,
  type RepoRecord,
  type Turn,
} from "../../record/index.ts";
import { paint } from "../print.ts";
import { agentType, plain, plainText, when } from "./format.ts";
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
  section(
    "Checkpoints",
    checkpoints.map((one) => `${paint("yellow", one.id)}  seam show ${one.id}`),
  );
  section("To go back to its start", [`seam rewind ${id}`]);
  return [...lines, ""];
}

export function turnJson({ start, end, ...turn }: Turn): object {
  return { ...turn, start: start?.commit, end: end?.commit };
}
