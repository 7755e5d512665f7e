import { type Static, Type } from "typebox";
import type { InboxEvent, LiveEvent, LiveSession, Question, Settled } from "../daemon/index.ts";
import type { SkillEvent, TokenUsage } from "../events/index.ts";

/**
 * What the page and its server say to each other. All paths are relative to the page's base, which
 * is `/`, or the prefix it is served under. Everything but `POST api/enter` needs the cookie; POSTs
 * carry JSON. What fails is answered with a `Problem` and a status of 400 or more.
 *
 * | request | answer |
 * |---|---|
 * | POST api/enter (Enter) | {} and the cookie |
 * | GET api/stream, SSE | StreamEvent; resumable by Last-Event-ID |
 * | GET api/now | Now |
 * | POST api/answer (GivenAnswer of the inbox) | Answered |
 * | POST api/hold, api/release (SessionRef) | {} |
 * | POST api/say (Say) | Said |
 * | POST api/resume/run (SessionRef) | Ran |
 * | POST api/interrupt (SessionRef) | Interrupted |
 * | GET api/session?agent&session | SessionHead |
 * | GET api/entries?agent&session[&child][&before\|after\|around=key][&at=index][&line][&limit] | EntriesPage |
 * | GET api/entry?agent&session[&child]&key | WholeEntry |
 * | GET api/raw?agent&session[&child]&key | RawLine |
 * | GET api/image?agent&session[&child]&key&n | the image itself |
 * | GET api/turn?agent&session[&key] | TurnTimeline of the turn that the entry is in; without: the last |
 * | GET api/repositories | Repositories |
 * | GET api/log?repository[&branch][&commit][&session][&cursor][&limit] | LogPage |
 * | GET api/checkpoint?repository&id | CheckpointView |
 * | GET api/diff?repository&(checkpoint\|turn\|commit) | Diff |
 * | POST api/rewind/preview (RewindWish) | RewindPreview |
 * | POST api/rewind/do (RewindDo) | RewindDone |
 * | POST api/resume (ResumeWish) | ResumeCommand |
 * | POST api/search, api/stats | what `src/search` says |
 * | GET api/use | ExtensionUse |
 * | GET api/extensions[?project] | Loaded |
 * | GET api/doctor[?project] | Doctor |
 * | POST api/doctor/fix (ProjectRef) | Doctor |
 * | GET api/rules, POST api/rules/remove (RuleRef) | Rules |
 */

/** What went wrong, and what to do about it. */
export interface Problem {
  readonly error: {
    /** A code of docs/errors.md: SEAM_VIEW_CLOSED means that the page has to be opened anew. */
    readonly code: string;
    readonly message: string;
    readonly next: string;
  };
}

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const closed = { additionalProperties: false } as const;

/** The one-time code that stood in the fragment of the address. */
export const EnterSchema = Type.Object({ code: text(200) }, closed);
export type Enter = Static<typeof EnterSchema>;

/** A session of an agent. */
export const SessionRefSchema = Type.Object({ agent: text(100), session: text(300) }, closed);
export type SessionRef = Static<typeof SessionRefSchema>;

export const SaySchema = Type.Object(
  { agent: text(100), session: text(300), text: text(100_000) },
  closed,
);
export type Say = Static<typeof SaySchema>;
/** How the turn ends: at the next step, or its tool calls are refused until it gives up. */
export interface Interrupted {
  readonly ends: "next step" | "calls refused";
}

/** Where a resumed session runs now. In tmux: the command that leads to it. */
export type Ran = { readonly in: "terminal" } | { readonly in: "tmux"; readonly attach: string };

export interface Said {
  readonly when: "next step" | "when it stops" | "cannot";
}

export type Answered = { readonly settled: Settled } | { readonly held: true };

/** A session in the list of Now: what the hooks tell, and what is known besides. */
export interface SessionCard extends LiveSession {
  /** What it is about: the title the agent made, or its first prompt. */
  readonly title: string;
  /** As people call the agent: "Claude Code". */
  readonly agentType: string;
  /** The folder's own name. */
  readonly project: string;
  readonly branch?: string;
  readonly usage?: TokenUsage;
  /** US dollars; absent where a price is not known. */
  readonly cost?: number;
  /** How much of the model's window the last call filled, in tokens. */
  readonly context?: { readonly tokens: number; readonly window?: number };
  /** What can be done to it from here. */
  readonly can: {
    readonly hold: boolean;
    readonly say: Said["when"];
    readonly interrupt: Interrupted["ends"] | "cannot";
  };
}

export interface Now {
  /** Newest first; the page groups them by phase. */
  readonly sessions: readonly SessionCard[];
  /** What waits, oldest first. */
  readonly questions: readonly Question[];
  /** Of Seam. */
  readonly version: string;
  /** The machine it runs on: the page may be forwarded from elsewhere. */
  readonly host: string;
}

/** One `data:` of the stream, as JSON. The id of each is to be given back as Last-Event-ID. */
export type StreamEvent =
  | InboxEvent
  | { readonly type: "session"; readonly session: SessionCard }
  /** Its transcript has grown: ask for what comes after the last entry you have. */
  | { readonly type: "grew"; readonly agent: string; readonly session: string }
  /** A hook was answered. Only for sessions the stream was asked to follow. */
  | { readonly type: "hook"; readonly event: LiveEvent }
  /** Something was lost on the way, or the stream begins: get `api/now` and what you show anew. */
  | { readonly type: "reload" };

// Session

export interface SessionHead {
  readonly agent: string;
  readonly session: string;
  readonly agentType: string;
  readonly title: string;
  readonly cwd?: string;
  /** The work tree it belongs to, for `api/log` and rewind. */
  readonly repository?: string;
  readonly branch?: string;
  readonly model?: string;
  readonly startedAt?: string;
  readonly lastAt?: string;
  /** Bytes of the transcript. */
  readonly size: number;
  /** False while the index of a long transcript is still being made: then totals are absent. */
  readonly isIndexed: boolean;
  /** How much of it is read, from 0 to 1. */
  readonly indexed: number;
  /** How many entries there are, without those of children in files of their own. */
  readonly entries?: number;
  /** Every prompt, for jumping; shortened. The last ones if there are very many. */
  readonly prompts: readonly PromptMark[];
  readonly usage?: TokenUsage;
  readonly cost?: number;
  readonly context?: { readonly tokens: number; readonly window?: number };
  /** Files that calls changed which did not fail. */
  readonly files: readonly {
    readonly path: string;
    readonly added?: number;
    readonly removed?: number;
  }[];
  readonly todos?: readonly Todo[];
  /** Goes on with it: shown and copied. Run in `cwd`. */
  readonly resume?: readonly string[];
  /** The session whose history it brought along. */
  readonly forkOf?: string;
  /** Present while hooks tell of it. */
  readonly live?: SessionCard;
}

export interface PromptMark {
  readonly key: string;
  readonly index?: number;
  readonly text: string;
  readonly at?: string;
}

/** A part of a session, in order. The first page is the end of it. */
export interface EntriesPage {
  readonly entries: readonly Entry[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** Of all entries, and the place of the first of these among them, once they are counted. */
  readonly total?: number;
  readonly from?: number;
}

interface EntryBase {
  /** Stable while the transcript only grows. Sorts in the order of the session by `order`. */
  readonly key: string;
  /** ISO. */
  readonly at?: string;
  /** The line (or message) of the transcript it is on, from 0. */
  readonly line?: number;
  /** The child that said or did it, where children are written into the same file. */
  readonly child?: string;
  /** Pictures in it, by `api/image?…&n=0`. */
  readonly images?: readonly { readonly mime: string; readonly bytes: number }[];
  /** It belongs to a skill; folded away at first if the hint says so. */
  readonly skill?: SkillMark;
}

export interface SkillMark {
  readonly name: string;
  readonly collapse?: SkillEvent["collapse"];
}

/** A text that may be too long for a list: the whole is in `api/entry`. */
export interface Shown {
  readonly text: string;
  /** Characters in all, if `text` is not all of it. */
  readonly of?: number;
}

/** One thing in a session, as the page shows it. */
export type Entry =
  | (EntryBase & { readonly kind: "prompt"; readonly body: Shown; readonly interrupts?: true })
  | (EntryBase & { readonly kind: "answer"; readonly body: Shown; readonly model?: string })
  | (EntryBase & { readonly kind: "thinking"; readonly body: Shown })
  | (EntryBase & { readonly kind: "call"; readonly call: Call })
  /** The transcript before this is summed up. */
  | (EntryBase & { readonly kind: "compaction"; readonly body?: Shown })
  /** Nobody knows what it means, or the line is broken: `api/raw` has it. */
  | (EntryBase & { readonly kind: "unknown"; readonly what: string; readonly body: Shown });

export interface Call {
  /** Normalised: bash, read, write, edit, grep, find, ls, subagent, skill; else the agent's name. */
  readonly tool: string;
  readonly nativeTool: string;
  readonly id?: string;
  /** What says most about it, in one line: its command, file, pattern or task. */
  readonly about?: string;
  /** background: it was started, and goes on for as long as it takes. */
  readonly state: "running" | "done" | "background" | "failed" | "stopped";
  /** Milliseconds, where both ends have a time. */
  readonly ms?: number;
  readonly files?: readonly string[];
  /** The beginning of what came back. */
  readonly output?: Shown;
  /** Lines it adds and removes. */
  readonly added?: number;
  readonly removed?: number;
  /** A short diff; a long one is in `api/entry`. */
  readonly diff?: string;
  readonly stop?: Stop;
  /** A person let it run. */
  readonly allowed?: Allowed;
  readonly todos?: readonly Todo[];
  /** It started a child whose entries are at `api/entries?…&child=<id>`. */
  readonly subagent?: { readonly id?: string; readonly type?: string; readonly task?: string };
}

export interface Stop {
  readonly by?: string;
  readonly reason: string;
  readonly at?: string;
  /** The agent was to ask about it in its own dialog; whether anybody saw that is not known. */
  readonly asked?: true;
}

/** Who let a call run, and the extension that wanted a person to be asked. */
export interface Allowed {
  readonly who: string;
  readonly by?: string;
}

export interface Todo {
  readonly text: string;
  readonly state: "open" | "doing" | "done";
}

export interface WholeEntry {
  readonly entry: Entry;
  /** Prompts, answers and thinking. */
  readonly text?: string;
  readonly input?: unknown;
  readonly output?: string;
  /** Unified, with file headers. */
  readonly diff?: string;
  /** What was cut off even here, because it is larger than a page can take. */
  readonly cut?: { readonly bytes: number };
}

export interface RawLine {
  readonly file: string;
  readonly line: number;
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  readonly text: string;
  /** Bytes of the line, if `text` is not all of it. */
  readonly of?: number;
  /** The line its result is on. */
  readonly result?: {
    readonly line: number;
    readonly offset: number;
    readonly text: string;
    readonly of?: number;
  };
}

/** What happened in one turn, by kind of call. */
export interface TurnTimeline {
  readonly prompt?: PromptMark;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Milliseconds from the first to the last. */
  readonly ms: number;
  /** In the order they first appear; calls that overlap have different rows. */
  readonly lanes: readonly TimelineLane[];
  readonly slowest?: string;
  readonly usage?: TokenUsage;
  readonly cost?: number;
  readonly files: SessionHead["files"];
  /** The recorded turn, to rewind to. */
  readonly turn?: { readonly id: string; readonly canStart: boolean; readonly canEnd: boolean };
}

export interface TimelineLane {
  readonly name: string;
  readonly rows: number;
  readonly spans: readonly TimelineSpan[];
}

export interface TimelineSpan {
  /** Of the entry. */
  readonly key: string;
  readonly about?: string;
  /** Milliseconds from the beginning of the turn. */
  readonly from: number;
  /** Absent: it still runs. */
  readonly ms?: number;
  readonly row: number;
  readonly state: Call["state"] | "waiting";
}
