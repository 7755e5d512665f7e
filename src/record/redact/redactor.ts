import { setImmediate } from "node:timers/promises";
import type { SeamError } from "../../errors/index.ts";
import { envSecrets } from "./env-secrets.ts";
import type { Additions } from "./find-secrets.ts";
import { ownPatterns } from "./own-patterns.ts";
import { isPublic, type KeyState, keyLine } from "./private-key-lines.ts";
import { redactUntilClean } from "./redact-until-clean.ts";
import { counted, type Redaction } from "./report.ts";
import { type Scan, scanJson, scanText } from "./scan.ts";

export interface RedactorOptions {
  /** The setting `redaction.patterns`: texts, and regular expressions written as `/…/i`. */
  readonly patterns?: readonly string[];
  /** The setting `redaction.allow`: what is no secret although it looks like one. */
  readonly allow?: readonly string[];
  /** Values of variables that are named like secrets are secrets. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Where the search of a growing file stands. Plain data, with nothing of what the file says. */
export interface RedactionState {
  readonly format: "jsonl" | "text";
  /** How much of the file was searched: the next chunk starts here. */
  readonly offset: number;
  readonly lines: number;
  readonly key: KeyState;
}

export interface Redacted {
  readonly bytes: Buffer;
  readonly report: readonly Redaction[];
  /** How many bytes were looked at. A line that changed is looked at again, nothing else is. */
  readonly scanned: number;
}

export interface Appended extends Redacted {
  readonly state: RedactionState;
}

export interface Redactor {
  /** What of the settings cannot be used. To be shown: less is protected than the user thinks. */
  readonly problems: readonly SeamError[];
  /**
   * The whole lines of what was appended to a file. A last line that is not ended is left for the
   * next time (the new `state.offset` is before it), unless the file is `complete`.
   */
  redactAppended(
    state: RedactionState,
    chunk: Buffer,
    options?: { complete?: boolean },
  ): Promise<Appended>;
  /** One JSON document, also over many lines. What is no JSON is taken as text. */
  redactJson(document: Buffer): Promise<Redacted>;
  redactText(text: Buffer): Promise<Redacted>;
  /** Whole lines of a transcript, each by itself. */
  redact(lines: Buffer): Promise<{ bytes: Buffer; redactions: readonly Redaction[] }>;
  /** A prompt, a name, a message. */
  text(text: string): Promise<string>;
}

const NEWLINE = 10;
const REST_AFTER = 256 * 1024;
const LONGEST_KEY_LINE = 4_096;

export function startRedaction(format: RedactionState["format"]): RedactionState {
  return { format, offset: 0, lines: 0, key: "outside" };
}

/** Removes secrets and nothing else: all other bytes stay as they are. */
export function createRedactor({ patterns, allow, env }: RedactorOptions = {}): Redactor {
  const problems: SeamError[] = [];
  const own = ownPatterns(patterns ?? [], "redaction.patterns", problems);
  const environment = envSecrets(env ?? {});
  const additions: Additions = {
    patterns: own,
    allow: ownPatterns(allow ?? [], "redaction.allow", problems),
    inEnvironment: environment.find,
    hidesInEscapes: own.length > 0 || environment.hidesInEscapes,
  };
  const redactText = (text: Buffer) =>
    redactLines(startRedaction("text"), text, text.length, additions);
  return {
    problems,
    redactAppended: (state, chunk, { complete = false } = {}) =>
      redactLines(
        state,
        chunk,
        complete ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1,
        additions,
      ),
    redactJson: async (document) => {
      const search = (bytes: Buffer) => scanJson(bytes, 0, bytes.length, additions);
      const first = search(document);
      if (!first) return redactText(document);
      const { bytes, kinds, inKeys, scanned } = await redactUntilClean(
        document,
        first,
        (now) => search(now) ?? first,
      );
      const report = counted(kinds, inKeys, undefined);
      return { bytes, report, scanned: scanned + document.length };
    },
    redactText,
    redact: async (lines) => {
      const start = startRedaction("jsonl");
      const { bytes, report } = await redactLines(start, lines, lines.length, additions);
      return { bytes, redactions: report };
    },
    text: async (text) => {
      const { bytes, report } = await redactText(Buffer.from(text));
      return report.length === 0 ? text : bytes.toString();
    },
  };
}

async function redactLines(
  state: RedactionState,
  chunk: Buffer,
  end: number,
  additions: Additions,
): Promise<Appended> {
  const parts: Buffer[] = [];
  const report: Redaction[] = [];
  let { lines, key } = state;
  let scanned = 0;
  let rested = 0;
  let done = 0;
  for (let start = 0; start < end; ) {
    const newline = chunk.indexOf(NEWLINE, start);
    const lineEnd = newline < 0 || newline >= end ? end : newline;
    const line = chunk.subarray(start, lineEnd);
    const again = key === "public" ? key : "outside";
    const search = (bytes: Buffer) => scanLine(state.format, bytes, again, additions).scan;
    const { scan, next } = scanLine(state.format, line, key, additions);
    key = next;
    lines++;
    scanned += line.length;
    // Whoever waits for an answer meanwhile gets it.
    if (scanned - rested > REST_AFTER) {
      rested = scanned;
      await setImmediate();
    }
    if (scan.spans.length + scan.questions.length + scan.inKeys.length > 0) {
      const clean = await redactUntilClean(line, scan, search);
      scanned += clean.scanned;
      report.push(...counted(clean.kinds, clean.inKeys, lines));
      if (clean.bytes !== line) {
        parts.push(chunk.subarray(done, start), clean.bytes);
        done = lineEnd;
      }
    }
    start = lineEnd + 1;
  }
  parts.push(chunk.subarray(done, end));
  const [only] = parts;
  const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
  return { bytes, report, scanned, state: { ...state, offset: state.offset + end, lines, key } };
}

/** One line, and whether the next one stands inside a private key. */
function scanLine(
  format: RedactionState["format"],
  line: Buffer,
  key: KeyState,
  additions: Additions,
): { scan: Scan; next: KeyState } {
  const json = format === "jsonl" ? scanJson(line, 0, line.length, additions) : undefined;
  if (json) return { scan: json, next: "outside" };
  const scan = scanText(line, 0, line.length, additions);
  if (line.length > LONGEST_KEY_LINE) return { scan, next: "outside" };
  const text = line.toString("latin1");
  const { next, span } = keyLine(key, text);
  if (span) scan.spans.push(span);
  if (!isPublic(key, text)) return { scan, next };
  return { scan: { ...scan, spans: scan.spans.filter(({ kind }) => kind !== "random") }, next };
}
