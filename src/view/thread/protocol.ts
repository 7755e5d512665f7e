import type { ErrorCode } from "../../errors/index.ts";
import type { EntriesPage, RawLine, SessionHead, TurnTimeline, WholeEntry } from "../api.ts";
import type {
  CheckpointView,
  Diff,
  Doctor,
  Loaded,
  LogPage,
  RepositoryCard,
  ResumeCommand,
  RewindDo,
  RewindDone,
  RewindPreview,
  RewindWish,
} from "../api-history.ts";
import type { DiffWish } from "../history/diff.ts";
import type { LogWish } from "../history/log.ts";
import type { CardFacts, EntryWish } from "../session/answers.ts";
import type { SessionWish } from "../session/find-session.ts";
import type { PageWish } from "../session/source.ts";

/** Folders in which agents were heard of, beside the repositories that are recorded. */
interface Live {
  readonly live: readonly string[];
}

interface InRepository extends Live {
  readonly repository: string;
}

/** What the thread can be asked, and what it answers. */
export interface ViewCalls {
  readonly head: readonly [SessionWish, Omit<SessionHead, "live">];
  readonly card: readonly [SessionWish, CardFacts];
  readonly entries: readonly [SessionWish & PageWish, EntriesPage];
  readonly entry: readonly [EntryWish, WholeEntry];
  readonly raw: readonly [EntryWish, RawLine];
  readonly image: readonly [EntryWish & { readonly n: number }, { mime: string; data: Uint8Array }];
  readonly turn: readonly [SessionWish & { readonly key?: string }, TurnTimeline];
  readonly repositories: readonly [Live, readonly RepositoryCard[]];
  readonly log: readonly [InRepository & LogWish, LogPage];
  readonly checkpoint: readonly [InRepository & { readonly id: string }, CheckpointView];
  readonly diff: readonly [InRepository & DiffWish, Diff];
  readonly rewindPreview: readonly [Live & { readonly wish: RewindWish }, RewindPreview];
  readonly rewindDo: readonly [Live & { readonly wish: RewindDo }, RewindDone];
  readonly resume: readonly [InRepository & { readonly session: string }, ResumeCommand];
  readonly doctor: readonly [{ readonly project: string; readonly fix: boolean }, Doctor];
  readonly loaded: readonly [{ readonly project: string }, Omit<Loaded, "projects" | "project">];
}

export type ViewMethod = keyof ViewCalls;

export interface ViewAsked<Method extends ViewMethod = ViewMethod> {
  readonly id: number;
  readonly method: Method;
  readonly wish: ViewCalls[Method][0];
}

export interface ViewReplied {
  readonly id: number;
  readonly answer?: unknown;
  readonly refused?: {
    readonly code: ErrorCode;
    readonly details: Readonly<Record<string, string | number | undefined>>;
  };
  readonly failed?: string;
}
