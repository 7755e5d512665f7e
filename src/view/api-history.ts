import { type Static, Type } from "typebox";
import type { TokenUsage } from "../events/index.ts";
import type { Stop } from "./api.ts";

/** History, rewind, resume, use, extensions and rules: the second half of what `api.ts` lists. */

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const closed = { additionalProperties: false } as const;

export interface Repositories {
  readonly repositories: readonly RepositoryCard[];
}

export interface RepositoryCard {
  /** The folder: what other requests name it by. */
  readonly path: string;
  readonly name: string;
  readonly branch?: string;
  readonly isRecorded: boolean;
}

export interface LogPage {
  readonly items: readonly LogItem[];
  readonly branches: readonly string[];
  /** Give it back for what is older. */
  readonly cursor?: string;
  /** Something that is wrong with the record, while the rest is shown. */
  readonly warning?: { readonly message: string; readonly next: string };
  /** Why there is nothing, with the command to run. */
  readonly nothing?: string;
}

export type LogItem =
  | (LogTurn & { readonly type: "turn" })
  | (LogCheckpoint & { readonly type: "checkpoint" });

/** The task of a crew that something was done for. */
export interface LogCrewTask {
  readonly run: string;
  readonly task: string;
}

export interface LogTurn {
  readonly id: string;
  readonly at: string;
  readonly agent: string;
  readonly agentType: string;
  readonly session: string;
  readonly prompt?: string;
  readonly branch?: string;
  readonly crew?: LogCrewTask;
  readonly files?: readonly string[];
  readonly calls?: number;
  readonly stops: readonly Stop[];
  readonly usage?: TokenUsage;
  readonly ending: "done" | "under way" | "broken off";
  /** Which moments can be gone back to. */
  readonly rewind: { readonly start: boolean; readonly end: boolean };
}

export interface LogCheckpoint {
  readonly id: string;
  readonly at: string;
  readonly commit?: string;
  readonly subject?: string;
  readonly branch?: string;
  readonly crew?: LogCrewTask;
  readonly files: readonly string[];
  readonly usage?: TokenUsage;
  readonly sessions: readonly CheckpointSession[];
}

export interface CheckpointSession {
  readonly session: string;
  readonly agent?: string;
  readonly agentType: string;
  readonly prompt?: string;
  readonly model?: string;
  readonly at?: string;
  readonly forkOf?: string;
  readonly skills: readonly string[];
  readonly stops: readonly Stop[];
  readonly usage?: TokenUsage;
  /** Its transcript is stored, so that it can be opened and resumed. */
  readonly hasTranscript: boolean;
}

export interface CheckpointView extends LogCheckpoint {
  readonly repository: string;
  readonly author?: string;
  readonly message?: string;
}

export interface Diff {
  /** Unified, as git writes it. */
  readonly diff: string;
  /** Bytes in all, if it was cut. */
  readonly of?: number;
}

export const RewindWishSchema = Type.Object(
  {
    repository: text(4096),
    /** A turn, a checkpoint or a commit; absent with `undo`. */
    to: Type.Optional(text(200)),
    moment: Type.Optional(Type.Union([Type.Literal("start"), Type.Literal("end")])),
    /** Back to the state before the last rewind. */
    undo: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type RewindWish = Static<typeof RewindWishSchema>;

export interface RewindPreview {
  /** To be given back by the click of a person; good for one rewind, and not for long. */
  readonly token: string;
  readonly to: {
    readonly kind: "turn" | "checkpoint" | "commit" | "saved";
    readonly name: string;
    readonly moment?: "start" | "end";
    readonly at?: string;
    readonly prompt?: string;
  };
  readonly changes: readonly {
    readonly kind: "added" | "changed" | "deleted";
    readonly path: string;
  }[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  /** Whose work goes too, in words: the person has to agree to that apart. */
  readonly others: readonly { readonly who: string; readonly files: readonly string[] }[];
  /** Agents at work there, who will not know of it. */
  readonly atWork: readonly string[];
  /** What else a person should know. */
  readonly notes: readonly string[];
  readonly diff: string;
  readonly diffOf?: number;
}

export const RewindDoSchema = Type.Object(
  {
    token: text(200),
    /** The person has seen whose work goes too, and agreed. */
    others: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type RewindDo = Static<typeof RewindDoSchema>;

export interface RewindDone {
  readonly changed: number;
  /** The reference that holds the state before. */
  readonly saved?: string;
}

export const ResumeWishSchema = Type.Object({ repository: text(4096), session: text(300) }, closed);
export type ResumeWish = Static<typeof ResumeWishSchema>;

export interface ResumeCommand {
  /** For a shell, quoted. */
  readonly command: string;
  readonly folder: string;
}

/** What each extension did since the daemon started. */
export interface ExtensionUse {
  readonly since?: string;
  readonly extensions: readonly {
    readonly name: string;
    readonly calls: number;
    readonly errors: number;
    readonly stops: number;
    /** Milliseconds in all, and the longest. */
    readonly ms: number;
    readonly longestMs?: number;
  }[];
}

export const ProjectRefSchema = Type.Object({ project: Type.Optional(text(4096)) }, closed);
export type ProjectRef = Static<typeof ProjectRefSchema>;

/** Extensions and agents of a project. */
export interface Loaded {
  readonly project?: string;
  /** Projects that can be chosen. */
  readonly projects: readonly string[];
  readonly extensions: readonly LoadedExtension[];
  readonly agents: readonly AgentCard[];
  readonly problems: readonly { readonly message: string; readonly next: string }[];
}

export interface LoadedExtension {
  readonly name: string;
  readonly path: string;
  /** Where it is from: user, project, package, settings … */
  readonly scope?: string;
  readonly isTrusted: boolean;
  readonly ok: boolean;
  readonly loadMs?: number;
  readonly events: readonly string[];
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly problems: readonly { readonly message: string; readonly next: string }[];
  /** By agent: the events it listens to that the agent does not fire, or cannot be answered. */
  readonly limits: readonly { readonly agent: string; readonly text: string }[];
}

export interface AgentCard {
  readonly name: string;
  readonly type: string;
  readonly version?: string;
  readonly program?: string;
  readonly tested?: readonly string[];
  /** Levels at which it calls Seam: user, project. */
  readonly enabled: readonly string[];
  readonly hooks: readonly string[];
  /** What extensions can do on it, in words of docs/agents.md. */
  readonly can: readonly { readonly power: string; readonly text: string }[];
}

/** As `seam doctor --json`. */
export interface Doctor {
  readonly ok: boolean;
  readonly fixed: readonly { readonly about: string; readonly text: string }[];
  readonly sections: readonly {
    readonly about: string;
    readonly findings: readonly {
      readonly level: "error" | "warning" | "info";
      readonly code: string;
      readonly text: string;
      readonly next?: string;
      /** `POST api/doctor/fix` puts it right. */
      readonly fixable: boolean;
    }[];
  }[];
}

export const RuleRefSchema = Type.Object({ id: text(200) }, closed);
export type RuleRef = Static<typeof RuleRefSchema>;

export interface Rules {
  readonly rules: readonly {
    readonly id: string;
    readonly project: string;
    /** What it answers, in words: "always allow `npm test`". */
    readonly text: string;
    readonly at?: string;
  }[];
}
