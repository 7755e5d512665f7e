import type { StoryEntry } from "../../agents/index.ts";
import type { SkillEvent } from "../../events/index.ts";
import type { AllowedCall, BlockedCall } from "../../record/index.ts";
import { wrapTextWithAnsi } from "../../terminal/index.ts";
import { lineWidth, paint } from "../print.ts";
import { oneLine, plainText, plural } from "./format.ts";

/** One thing that happened, and the skill it is a part of. */
export interface Told {
  readonly entry: StoryEntry;
  readonly skill?: SkillEvent | undefined;
}

interface Wish {
  readonly blocked: readonly BlockedCall[];
  /** Calls that a person let run. */
  readonly allowed: readonly AllowedCall[];
  /** Skills are shown with what is in them, and long texts whole. */
  readonly expand: boolean;
  /** Files below it are named from there. */
  readonly root: string | undefined;
  /** How much is missing in the middle, after the first entries. */
  readonly leftOut?: { readonly count: number; readonly after: number };
}

/** What happened, a line for each thing: what was stopped stands where it was tried. */
export function storyLines(told: readonly Told[], wish: Wish): string[] {
  const { blocked, allowed, expand, root, leftOut } = wish;
  const stops = new Decided(blocked);
  const stopped = stops.calls(told.map(({ entry }) => entry));
  const permitted = new Decided(allowed).calls(told.map(({ entry }) => entry));
  const lastAnswer = told.findLastIndex(({ entry }) => entry.kind === "answer");
  const lines: string[] = [];
  const folded = new Set<string>();
  for (const [index, { entry, skill }] of told.entries()) {
    if (leftOut && index === leftOut.after) {
      lines.push(paint("dim", `… ${plural(leftOut.count, "more thing")} happened here …`));
    }
    const stop = stopped.get(entry);
    if (skill && !expand && !stop) {
      const use = skill.id ?? JSON.stringify(skill);
      const label = skill.collapse?.label ?? skill.skill.name;
      if (!folded.has(use)) lines.push(`${paint("magenta", "▸")} ${label}`);
      folded.add(use);
      continue;
    }
    if (stop) {
      if (entry.kind === "call") lines.push(...stopLines(stop, root, entry.text));
      continue;
    }
    lines.push(...entryLines(entry, { root, expand, isLast: index === lastAnswer }));
    const permission = entry.kind === "call" && permitted.get(entry);
    if (permission) lines.push(...permissionLines(permission));
  }
  // Some agents do not write down what they were kept from.
  return [...lines, ...stops.rest.flatMap((stop) => stopLines(stop, root))];
}

/** How many lines are shown of a text unless all of it is asked for. */
const MOST = { result: 12, said: 4, done: 1 } as const;

function entryLines(entry: StoryEntry, wish: EntryWish): string[] {
  const { kind, text = "", tool = "", child } = entry;
  const { root, expand, isLast } = wish;
  // What a subagent did stands below the call that started it.
  const indent = child === undefined ? "" : "  ";
  const lines = (mark: string, words: string, most: number) =>
    textLines(words, indent.length + 2, expand ? Number.POSITIVE_INFINITY : most).map(
      (line, index) => `${indent}${index === 0 ? mark : " "} ${line}`,
    );
  switch (kind) {
    case "prompt":
      return lines(paint("cyan", "›"), text, MOST.said);
    case "answer":
      // The last one is the result: it may take more space.
      return lines(" ", text, isLast && child === undefined ? MOST.result : MOST.said);
    case "call":
      return lines(paint("green", "•"), `${tool} ${named(text, root)}`, MOST.done);
    case "failure":
      if (entry.refused) return lines(" ", "stopped by the user", MOST.done).map(refusal);
      return lines(" ", `failed: ${named(text, root)}`, MOST.done).map((one) =>
        marked(one, "failed:"),
      );
    case "compaction":
      return [paint("dim", "— the conversation was compacted —")];
  }
}

const refusal = (line: string) => marked(line, "stopped by the user");

interface EntryWish extends Pick<Wish, "root" | "expand"> {
  readonly isLast: boolean;
}

/**
 * A text as its author broke it into lines, each wrapped at the terminal's width. Of a text that is
 * cut it says how much is missing; a single line is cut where it ends.
 */
function textLines(text: string, indent: number, most: number): string[] {
  // What stands around a story takes four columns, and so much is left free on the other side.
  const width = Math.max(lineWidth() - 6 - indent, 8);
  if (most === 1) return [oneLine(text, width)];
  const all = plainText(text.replaceAll("\t", "  "))
    .trim()
    .split(/\n(?:[ ]*\n)*/)
    .flatMap((line) => wrapTextWithAnsi(line.trimEnd(), width));
  // To say that one line is missing takes a line as well.
  if (all.length <= most + 1) return all;
  const rest = paint("dim", `… ${plural(all.length - most, "more line")}, --expand shows all`);
  return [...all.slice(0, most), rest];
}

function stopLines(
  { tool, about, reason, by, asked }: BlockedCall,
  root: string | undefined,
  call = "",
): string[] {
  const who = by === undefined ? "" : ` by ${by}`;
  // Whether anybody saw the agent's own question is not known.
  const how = asked ? `not allowed, ${by ?? "an extension"} wanted it asked` : `stopped${who}`;
  return [
    `${paint("red", "✗")} ${oneLine(`${tool} ${named(about ?? call, root)}`)}`,
    ...textLines(`${how}: ${named(reason, root)}`, 2, MOST.said)
      .map((line) => `  ${line}`)
      .map((line) => marked(line, `${how}:`)),
  ];
}

function permissionLines({ who, by }: AllowedCall): string[] {
  const where = who === "a rule" ? "by a rule" : `in ${who}`;
  const asked = by === undefined ? "" : `; ${by} had it asked`;
  return textLines(`allowed ${where}${asked}`, 2, MOST.said).map(
    (line) => `  ${paint("dim", line)}`,
  );
}

/** Coloured only now: what agents wrote is freed of all that would change a terminal. */
function marked(line: string, words: string): string {
  const at = line.search(/\S/);
  return line.startsWith(words, at)
    ? line.slice(0, at) + paint("red", words) + line.slice(at + words.length)
    : line;
}

/** Files as a person in the project would name them. */
function named(text: string, root: string | undefined): string {
  return root === undefined ? text : text.replaceAll(`${root}/`, "");
}

/** Finds the calls that somebody decided about, and what came back for them, in what was told. */
class Decided<Call extends AllowedCall | BlockedCall> {
  /** Those of which nothing was told. */
  rest: Call[];

  constructor(calls: readonly Call[]) {
    this.rest = [...calls];
  }

  calls(entries: readonly StoryEntry[]): Map<StoryEntry, Call> {
    const found = new Map<StoryEntry, Call>();
    const byCall = new Map<string, Call>();
    for (const entry of entries) {
      const { kind, call_id } = entry;
      const known = call_id === undefined ? undefined : byCall.get(call_id);
      const call = known ?? (kind === "call" || kind === "failure" ? this.#take(entry) : undefined);
      if (!call) continue;
      if (call_id !== undefined) byCall.set(call_id, call);
      found.set(entry, call);
    }
    return found;
  }

  /** By its id; where the agent gives none, by what it was about or what came back. */
  #take({ kind, call_id, tool, text = "" }: StoryEntry): Call | undefined {
    const at = this.rest.findIndex(
      (call) =>
        (call_id !== undefined && call.tool_use_id === call_id) ||
        (kind === "call" && call.tool === tool && text.startsWith(call.about ?? "\n")),
    );
    return at < 0 ? undefined : this.rest.splice(at, 1)[0];
  }
}
