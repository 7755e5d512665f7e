import { isRecord } from "../../values/index.ts";
import type { TranscriptEntry } from "../transcripts/entry.ts";
import { readCall } from "../transcripts/read-call.ts";
import { SOURCE } from "./transcript-tools.ts";
import { typedText } from "./user-query.ts";

/**
 * The older form:
 *
 *     user:
 *     <user_query>
 *     what was asked
 *     </user_query>
 *     assistant:
 *     [Thinking] …
 *     what was said
 *     [Tool call] Write
 *       path: a.txt
 *     [Tool result] Write
 */
type Section =
  | { readonly is: "user" | "assistant"; readonly start: number; readonly text: string }
  | { readonly is: "call"; readonly start: number; readonly tool: string; readonly path?: string }
  | { readonly is: "skipped"; readonly start: number };

const KEY = "section";
/** A prompt or an answer is remembered until it ends, and stored between scans. */
const LONGEST = 64 * 1024;

export function isLegacyStart(head: string): boolean {
  return /^\uFEFF?\s*user:\r?\n/.test(head);
}

/** A section says something once the next one begins; a call as soon as its file is known. */
export function legacyLine(
  line: string,
  seen: Map<string, unknown>,
  position: number,
): TranscriptEntry[] {
  const open = sectionIn(seen);
  const next = sectionAt(line, position);
  if (next) {
    seen.set(KEY, next);
    return open ? told(open) : [];
  }
  if (open?.is === "user" || open?.is === "assistant") {
    const text = open.text === "" ? line : `${open.text}\n${line}`;
    seen.set(KEY, { ...open, text: text.slice(0, LONGEST) });
    return [];
  }
  if (open?.is === "call" && open.path === undefined) {
    const path = /^\s+(?:path|file_path|target_notebook):\s*(.+?)\s*$/.exec(line)?.[1];
    if (path !== undefined) {
      seen.set(KEY, { ...open, path });
      return callOf(open.tool, path, open.start);
    }
  }
  return [];
}

function sectionAt(line: string, start: number): Section | undefined {
  if (line === "user:" || line === "assistant:") {
    return { is: line === "user:" ? "user" : "assistant", start, text: "" };
  }
  const tool = /^\[Tool call\] (\S+)/.exec(line)?.[1];
  if (tool !== undefined) return { is: "call", start, tool };
  return /^\[(?:Tool result|Thinking)\]/.test(line) ? { is: "skipped", start } : undefined;
}

function sectionIn(seen: Map<string, unknown>): Section | undefined {
  const section = seen.get(KEY);
  return isRecord(section) ? (section as unknown as Section) : undefined;
}

function told(section: Section): TranscriptEntry[] {
  const common = { id: `line-${section.start}`, endsBefore: true } as const;
  if (section.is === "user") {
    const text = typedText(section.text);
    return [text === undefined ? { ...common, kind: "other" } : { ...common, kind: "user", text }];
  }
  if (section.is !== "assistant") return [];
  const text = section.text.trim();
  return text === "" ? [] : [{ ...common, kind: "assistant", text }];
}

function callOf(nativeName: string, path: string, start: number): TranscriptEntry[] {
  const { tool } = readCall(SOURCE, { nativeName, input: { path } });
  return [{ id: `line-${start}`, kind: "tool_call", tool }];
}
