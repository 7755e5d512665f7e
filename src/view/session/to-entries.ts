import type { Allowed, Call, Entry, Shown, SkillMark, Stop } from "../api.ts";
import { callDiff, countLines } from "./call-diff.ts";
import { keyOf } from "./piece-key.ts";
import { type Piece, resultText } from "./pieces.ts";
import type { PiecesPage, ResultPiece } from "./source.ts";
import { todosIn } from "./todos.ts";

/** Characters of a text in a list; the whole is asked for apart. */
const MOST_TEXT = 12_000;
const MOST_OUTPUT = 2_000;
const MOST_DIFF = 8_000;
const MOST_ABOUT = 500;

/** What is known of a session beside its transcript. */
export interface Around {
  /** Calls that somebody stopped, by their id. */
  readonly stops: ReadonlyMap<string, Stop>;
  /** Calls that a person let run, by their id. */
  readonly allowed: ReadonlyMap<string, Allowed>;
  /** The agent is at work: a call without a result still runs. */
  readonly isWorking: boolean;
}

/** What the page shows of a part of a session. */
export function toEntries(
  { pieces, results }: Pick<PiecesPage, "pieces" | "results">,
  around: Around,
): Entry[] {
  return pieces.flatMap((piece) => entryOf(piece, results, around) ?? []);
}

function entryOf(piece: Piece, results: PiecesPage["results"], around: Around): Entry | undefined {
  const { at, line, child } = piece;
  const result = piece.kind === "call" ? results.get(piece.entry.tool?.callId ?? "") : undefined;
  const pictures = [...(piece.pictures ?? []), ...(result?.pictures ?? [])];
  const skill = "entry" in piece ? skillOf(piece.entry?.skill) : undefined;
  const base = {
    key: keyOf(piece),
    ...(at !== undefined && { at }),
    ...(line !== undefined && { line }),
    ...(child !== undefined && { child }),
    ...(pictures.length > 0 && {
      images: pictures.map(({ mime, data }) => ({
        mime,
        bytes: Math.floor((data.length * 3) / 4),
      })),
    }),
    ...(skill && { skill }),
  };
  switch (piece.kind) {
    case "prompt":
      return { ...base, kind: "prompt", body: shown(piece.text, MOST_TEXT) };
    case "interrupted":
      return { ...base, kind: "prompt", body: { text: "" }, interrupts: true };
    case "answer": {
      const { model } = piece.entry ?? {};
      const body = shown(piece.text, MOST_TEXT);
      return { ...base, kind: "answer", body, ...(model !== undefined && { model }) };
    }
    case "thinking":
      return { ...base, kind: "thinking", body: shown(piece.text, MOST_TEXT) };
    case "compaction":
      return { ...base, kind: "compaction" };
    case "unknown":
      return { ...base, kind: "unknown", what: piece.what, body: shown(piece.raw, MOST_OUTPUT) };
    case "call":
      return { ...base, kind: "call", call: callOf(piece, result, around) };
    case "result":
      return undefined;
  }
}

export function callOf(
  { entry, at }: Extract<Piece, { kind: "call" }>,
  result: ResultPiece | undefined,
  { stops, allowed, isWorking }: Around,
): Call {
  const { tool, subagent: started } = entry;
  const { name = "", nativeName = "", callId, about, files, input } = tool ?? {};
  const stop = callId === undefined ? undefined : stops.get(callId);
  const permission = callId === undefined ? undefined : allowed.get(callId);
  const ended =
    result?.at === undefined || at === undefined
      ? Number.NaN
      : Date.parse(result.at) - Date.parse(at);
  const diff =
    name === "write" || name === "edit" || files
      ? callDiff(name, input, files, result?.patch)
      : undefined;
  const todos = todosIn(input);
  const child = name === "subagent" ? { ...started, ...result?.entry.subagent } : undefined;
  const output = result ? resultText(result.entry) : "";
  return {
    tool: name,
    nativeTool: nativeName,
    ...(callId !== undefined && { id: callId }),
    ...(about !== undefined && { about: about.slice(0, MOST_ABOUT) }),
    state: stateOf(tool, result, stop, isWorking),
    ...(ended >= 0 && { ms: ended }),
    ...(files && { files }),
    ...(output !== "" && { output: shown(output, MOST_OUTPUT) }),
    ...(diff !== undefined && countLines(diff)),
    ...(diff !== undefined && diff.length <= MOST_DIFF && { diff }),
    ...(stop && { stop }),
    ...(permission && { allowed: permission }),
    ...(todos && { todos }),
    ...(child && {
      subagent: { ...withoutRef(child), ...(about !== undefined && { task: about }) },
    }),
  };
}

function stateOf(
  tool: Extract<Piece, { kind: "call" }>["entry"]["tool"],
  result: ResultPiece | undefined,
  stop: Stop | undefined,
  isWorking: boolean,
): Call["state"] {
  if (stop) return "stopped";
  if (result?.entry.tool?.isError) return "failed";
  if (result) return tool?.runsOn ? "background" : "done";
  return isWorking ? "running" : "stopped";
}

function withoutRef({ id, type }: { readonly id?: string; readonly type?: string }) {
  return { ...(id !== undefined && { id }), ...(type !== undefined && { type }) };
}

function skillOf(event: Extract<Piece, { kind: "call" }>["entry"]["skill"]): SkillMark | undefined {
  if (!event) return undefined;
  return { name: event.skill.name, ...(event.collapse && { collapse: event.collapse }) };
}

/** The beginning of a text, cut between characters, with how much there is of it. */
export function shown(text: string, most: number): Shown {
  if (text.length <= most) return { text };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { text: text.slice(0, end), of: text.length };
}
