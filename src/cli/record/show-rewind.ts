import { shownPath } from "../../git/index.ts";
import {
  isHeldUp,
  LEFT_TEXT,
  type RewindPlan,
  type RewindTarget,
  type UndoneOthers,
} from "../../record/index.ts";
import { paint } from "../print.ts";
import { agentType, oneLine, plural, when } from "./format.ts";

const MARKS = {
  added: ["green", "added  "],
  changed: ["yellow", "changed"],
  deleted: ["red", "deleted"],
} as const;

const LATE_START =
  "This snapshot came late: changes the agent made at the beginning of the turn may be in it.";

const MOVE_AWAY =
  "To bring it back, move away what git ignores in its place, then run the command again.";

/** More would scroll away what matters. */
const MOST_LEFT = 10;

/** "the start of turn 3f2a… (claude-code, 2026-05-25 12:34)" */
export function targetLine({ kind, name, moment, agent, at }: RewindTarget): string {
  const about = [agent && agentType(agent), at && when(at)].filter(Boolean).join(", ");
  const note = about === "" ? "" : ` (${about})`;
  if (kind === "turn") return `the ${moment} of turn ${name}${note}`;
  if (kind === "saved") return `the state before the last rewind${note}`;
  return `${kind} ${kind === "commit" ? name.slice(0, 12) : name}`;
}

/** What a rewind will do, for a person to decide. */
export function planLines(
  plan: Pick<RewindPlan, "target" | "changes" | "left" | "head" | "atWork">,
): string[] {
  const { target, changes, left, head, atWork } = plan;
  const lines = [`Rewind to ${targetLine(target)}`];
  if (target.prompt) lines.push(`  ${paint("dim", oneLine(target.prompt))}`);
  for (const { kind, path } of changes) {
    const [style, word] = MARKS[kind];
    lines.push(`  ${paint(style, word)}  ${shownPath(path)}`);
  }
  lines.push(changes.length === 0 ? nothingLine(plan) : countLine(plan));
  if (left.length > 0) lines.push(`Left alone: ${plural(left.length, "file")}`);
  for (const { path, why } of left.slice(0, MOST_LEFT)) lines.push(`  ${path} ${LEFT_TEXT[why]}`);
  if (left.length > MOST_LEFT) lines.push(`  … and ${left.length - MOST_LEFT} more`);
  if (isHeldUp(plan)) lines.push(paint("yellow", MOVE_AWAY));
  if (target.isLate) lines.push(paint("yellow", LATE_START));
  if (target.head !== undefined && head !== undefined && target.head !== head) {
    lines.push(`HEAD stays at ${head.slice(0, 12)}; it was at ${target.head.slice(0, 12)} then.`);
  }
  for (const agent of atWork) {
    lines.push(paint("yellow", `${agentType(agent)} is at work here and will not know of it.`));
  }
  return lines;
}

function nothingLine(plan: Pick<RewindPlan, "left">): string {
  return isHeldUp(plan) ? "Nothing can be changed." : "Nothing has to change.";
}

/** More files than these would scroll away who it is about. */
const MOST_FILES = 5;

/** Whose work goes too, one line each: "Codex (session 0b1c…): a.ts, b.ts". */
export function othersLines(others: readonly UndoneOthers[]): string[] {
  return others.map((one) => {
    const { files } = one;
    const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
    return `${nameOf(one)}: ${files.slice(0, MOST_FILES).join(", ")}${more}`;
  });
}

function nameOf(one: UndoneOthers): string {
  if (one.who === "session") return `${agentType(one.agent)} (session ${one.session_id})`;
  if (one.who === "outside") return "Changes made outside any recorded turn, perhaps your own";
  return `All that differs from the work tree ${one.work_tree}, where that turn was`;
}

export function countLine({ changes }: Pick<RewindPlan, "changes">): string {
  const kinds = (["added", "changed", "deleted"] as const).map((kind) => {
    const number = changes.filter((one) => one.kind === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  });
  return `${plural(changes.length, "file")}: ${kinds.flat().join(", ")}`;
}

export function planJson(
  { target, changes, left, head, atWork }: RewindPlan,
  others: readonly UndoneOthers[],
): object {
  const { tree: _, leftOut: __, isWhole: ___, ...named } = target;
  return {
    target: named,
    head,
    changes: changes.map(({ kind, path }) => ({ kind, path: shownPath(path) })),
    left,
    at_work: atWork,
    undoes_others: others,
  };
}
