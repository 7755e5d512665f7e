import type { Paths } from "./fields.ts";
import type { Reading } from "./reading.ts";

type StartReason = NonNullable<Reading["start"]>["reason"];
type EndReason = NonNullable<Reading["end"]>["reason"];

/** Where an agent's payloads have what. What is not here it never says. */
export interface PayloadStyle {
  readonly sessionId: Paths;
  readonly cwd?: Paths;
  readonly transcriptPath?: Paths;
  readonly turnId?: Paths;
  readonly model?: Paths;
  /** When it happened: ISO, or milliseconds. */
  readonly at?: Paths;
  /** The session this one goes on from: its id, or its file, whose name ends in the id. */
  readonly previousSession?: { readonly id?: Paths; readonly file?: Paths };
  /** What else the agent says of its state, by the name it has for it. */
  readonly metadata?: Readonly<Record<string, Paths>>;
  /** On the start of a session that is a subagent's: the session that started it. */
  readonly startedBy?: Paths;
  /** On events from inside of a subagent. */
  readonly inSubagent?: { readonly id: Paths; readonly type?: Paths };
  readonly start?: { readonly from: Paths; readonly means: Readonly<Record<string, StartReason>> };
  readonly end?: { readonly from: Paths; readonly means: Readonly<Record<string, EndReason>> };
  readonly prompt?: Paths;
  readonly tool?: {
    readonly name: Paths;
    readonly input: Paths;
    readonly callId?: Paths;
    readonly output?: Paths;
    /** There only if the call failed. */
    readonly error?: Paths;
  };
  readonly lastMessage?: Paths;
  readonly continued?: Paths;
  /** What a subagent's own start and end say. */
  readonly subagent?: {
    readonly id?: Paths;
    readonly toolCallId?: Paths;
    readonly type?: Paths;
    readonly task?: Paths;
    readonly transcriptPath?: Paths;
    readonly lastMessage?: Paths;
  };
  readonly compaction?: { readonly trigger?: Paths; readonly summary?: Paths };
  readonly notice?: {
    readonly kind: Paths;
    readonly text: Paths;
    /** The kind that tells of a dialog of the agent's own, which waits for its user. */
    readonly asks?: string;
  };
}
