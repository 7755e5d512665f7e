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

interface Call<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** What the thread can be asked, and what it answers. */
export interface ViewCalls {
  readonly head: Call<SessionWish, Omit<SessionHead, "live">>;
  readonly card: Call<SessionWish, CardFacts>;
  readonly entries: Call<SessionWish & PageWish, EntriesPage>;
  readonly entry: Call<EntryWish, WholeEntry>;
  readonly raw: Call<EntryWish, RawLine>;
  readonly image: Call<EntryWish & { readonly n: number }, { mime: string; data: Uint8Array }>;
  readonly turn: Call<SessionWish & { readonly key?: string }, TurnTimeline>;
  readonly repositories: Call<Live, readonly RepositoryCard[]>;
  readonly log: Call<InRepository & LogWish, LogPage>;
  readonly checkpoint: Call<InRepository & { readonly id: string }, CheckpointView>;
  readonly diff: Call<InRepository & DiffWish, Diff>;
  readonly rewindPreview: Call<Live & { readonly wish: RewindWish }, RewindPreview>;
  readonly rewindDo: Call<Live & { readonly wish: RewindDo }, RewindDone>;
  readonly resume: Call<InRepository & { readonly session: string }, ResumeCommand>;
  readonly doctor: Call<{ readonly project: string; readonly fix: boolean }, Doctor>;
  readonly loaded: Call<{ readonly project: string }, Omit<Loaded, "projects" | "project">>;
}
