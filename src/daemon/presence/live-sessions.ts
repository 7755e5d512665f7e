import { join } from "node:path";
import type { Reading } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Question, ShownKind } from "../inbox/question.ts";
import type { LiveSession, SessionPhase } from "./live-session.ts";

/** Names one session among those of all agents. */
export interface SessionRef {
  readonly agent: string;
  readonly session: string;
}

interface Heard {
  readonly session: {
    readonly agent: { readonly name: string };
    readonly id: string;
    readonly cwd: string;
  };
  readonly reading: Reading;
  readonly events: readonly SeamEvent[];
}

interface Kept
  extends Omit<LiveSession, "phase" | "isHeld" | "isInterrupted" | "isEnded" | "unheard"> {
  /** What its hooks say. Whether it needs somebody, or has been silent for long, is seen later. */
  readonly turn: "working" | "asks" | "done" | "ended";
}

interface Options {
  /** The daemon's folder. */
  readonly folder: string;
  readonly questions: () => readonly Question[];
  readonly isHeld: (ref: SessionRef) => boolean;
  readonly isInterrupted: (ref: SessionRef) => boolean;
  readonly unheard: (ref: SessionRef) => number;
}

/** A turn that nothing was heard of for so long has most likely ended unheard. */
const SILENT_MS = 60 * 60_000;
/** Between two hooks of a session that works it is seldom longer. */
const UNHEARD_MS = 60_000;
/** What was done so long ago does not need to be looked at first. */
const DONE_MS = 30 * 60_000;
const FORGET_MS = 24 * 3_600_000;
const MOST = 500;
const LONGEST_TEXT = 500;
/** Changes are told, and written down, together. */
const COALESCE_MS = 100;
const WRITE_MS = 10_000;

/** The sessions of all agents that spoke lately, and what each wants from people. */
export class LiveSessions {
  readonly #options: Options;
  readonly #path: string;
  readonly #byKey = new Map<string, Kept>();
  readonly #followers = new Set<(session: LiveSession) => void>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#path = join(options.folder, "sessions.json");
    for (const kept of load(this.#path)) this.#byKey.set(keyOf(kept), kept);
  }

  /** Takes in what a hook told, once the hook was answered. `ends`: the agent was told to end its turn. */
  heard({ session, reading, events }: Heard, at: string, ends = false): void {
    const ref = { agent: session.agent.name, session: session.id };
    const key = keyOf(ref);
    const before = this.#byKey.get(key);
    // A hook whose agent ended while somebody was asked does not bring the session back.
    const isOver = before?.turn === "ended" && at <= before.since;
    const after = ends ? "done" : turnAfter(events, reading);
    const turn = isOver ? "ended" : (after ?? before?.turn ?? "working");
    const { asks: _, ...known } = before ?? {};
    const isNew = turn !== before?.turn;
    // The end of the map is where the latest ones are.
    this.#byKey.delete(key);
    this.#byKey.set(key, {
      ...known,
      ...ref,
      cwd: session.cwd,
      turn,
      since: isNew ? at : (before?.since ?? at),
      at,
      shown: before?.shown ?? [],
      ...told(reading),
      ...(turn === "asks" && { asks: reading.notice?.text || before?.asks || "It asks." }),
    });
    this.#forgetOld();
    this.changed(ref);
  }

  /** Makes a session known whose first hook is not answered yet. */
  begin({ agent, session, cwd }: SessionRef & { readonly cwd: string }): void {
    if (this.#byKey.has(keyOf({ agent, session }))) return;
    const at = new Date().toISOString();
    const turn = "working";
    const kept: Kept = { agent, session, cwd, turn, since: at, at, shown: [] };
    this.#byKey.set(keyOf(kept), kept);
  }

  /** Ends a session whose agent is gone, whether or not the agent said so. */
  end(ref: SessionRef): void {
    const kept = this.#byKey.get(keyOf(ref));
    if (!kept || kept.turn === "ended") return;
    this.#byKey.set(keyOf(ref), { ...kept, turn: "ended", since: new Date().toISOString() });
    this.changed(ref);
  }

  /** Sessions whose agents should still run: a question waits, or nothing was heard for a while. */
  doubtful(): SessionRef[] {
    const asked = new Set(this.#options.questions().map(keyOf));
    const isDoubtful = (kept: Kept) =>
      asked.has(keyOf(kept)) || Date.now() - Date.parse(kept.at) > UNHEARD_MS;
    return [...this.#byKey.values()].filter((kept) => kept.turn !== "ended" && isDoubtful(kept));
  }

  show(ref: SessionRef, kind: ShownKind, name: string, lines?: readonly string[]): void {
    const kept = this.#byKey.get(keyOf(ref));
    if (!kept) return;
    const others = kept.shown.filter((one) => one.kind !== kind || one.key !== name);
    const shown = lines ? [...others, { kind, key: name, lines }] : others;
    this.#byKey.set(keyOf(ref), { ...kept, shown });
    this.changed(ref);
  }

  /** Newest first. */
  list(): LiveSession[] {
    return [...this.#byKey.values()].reverse().map((kept) => this.#seen(kept));
  }

  get(ref: SessionRef): LiveSession | undefined {
    const kept = this.#byKey.get(keyOf(ref));
    return kept && this.#seen(kept);
  }

  /** Tells of every session that changes. */
  follow(hear: (session: LiveSession) => void): () => void {
    this.#followers.add(hear);
    return () => this.#followers.delete(hear);
  }

  /** Something about a session is different now: a question, a hold. */
  changed(ref: SessionRef): void {
    this.#changed.add(keyOf(ref));
    this.#timer ??= setTimeout(() => this.#tell(), COALESCE_MS);
    this.#writing ??= setTimeout(() => this.#write(), WRITE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    if (this.#writing) this.#write();
  }

  #tell(): void {
    this.#timer = undefined;
    const keys = [...this.#changed];
    this.#changed.clear();
    for (const key of keys) {
      const kept = this.#byKey.get(key);
      if (!kept) continue;
      const seen = this.#seen(kept);
      for (const hear of this.#followers) hear(seen);
    }
  }

  #write(): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    try {
      replaceFile(this.#path, `${JSON.stringify([...this.#byKey.values()])}\n`);
    } catch {
      // After a restart the sessions are known again with their next hooks.
    }
  }

  #seen({ turn, ...kept }: Kept): LiveSession {
    const asks = this.#options
      .questions()
      .find(({ agent, session }) => agent === kept.agent && session === kept.session);
    const age = Date.now() - Date.parse(kept.at);
    const phase = asks ? "needs-you" : phaseOf(turn, age);
    return {
      ...kept,
      phase,
      since: asks?.at ?? kept.since,
      unheard: this.#options.unheard(kept),
      ...(turn === "ended" && { isEnded: true as const }),
      ...(this.#options.isHeld(kept) && { isHeld: true as const }),
      ...(this.#options.isInterrupted(kept) && { isInterrupted: true as const }),
    };
  }

  #forgetOld(): void {
    for (const [key, { at }] of this.#byKey) {
      if (this.#byKey.size <= MOST && Date.now() - Date.parse(at) < FORGET_MS) return;
      this.#byKey.delete(key);
    }
  }
}

/** Neither a name nor an id can look like a part of the other. */
export function keyOf({ agent, session }: SessionRef): string {
  return `${agent} ${session}`;
}

function phaseOf(turn: Kept["turn"], age: number): SessionPhase {
  if (turn === "ended") return "quiet";
  if (turn === "asks") return "needs-you";
  if (turn === "working") return age < SILENT_MS ? "working" : "quiet";
  return age < DONE_MS ? "done" : "quiet";
}

const TURNS: Partial<Record<SeamEvent["type"], Kept["turn"]>> = {
  session_start: "done",
  agent_start: "working",
  tool_call: "working",
  tool_result: "working",
  agent_end: "done",
  session_shutdown: "ended",
};

function turnAfter(events: readonly SeamEvent[], { notice }: Reading): Kept["turn"] | undefined {
  if (notice?.asks) return "asks";
  return events.flatMap(({ type }) => TURNS[type] ?? []).at(-1);
}

function told(reading: Reading): Partial<Kept> {
  const { transcriptPath, model, prompt, lastMessage, tools } = reading;
  const [tool] = tools ?? [];
  const { command, path, pattern } = tool?.input ?? {};
  const target = [command, path, pattern].find((one) => typeof one === "string");
  return {
    ...(transcriptPath !== undefined && { transcript: transcriptPath }),
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt: prompt.slice(0, LONGEST_TEXT) }),
    ...(lastMessage !== undefined && { lastWords: lastMessage.slice(0, LONGEST_TEXT) }),
    ...(tool && {
      lastCall: {
        tool: tool.name,
        ...(typeof target === "string" && { target: target.slice(0, LONGEST_TEXT) }),
      },
    }),
  };
}

function load(path: string): Kept[] {
  try {
    const list: unknown = JSON.parse(readText(path) ?? "[]");
    return Array.isArray(list) ? list.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !Array.isArray(value.shown)) return false;
  const { agent, session, cwd, since, at, turn } = value;
  return [agent, session, cwd, since, at, turn].every((one) => typeof one === "string");
}
