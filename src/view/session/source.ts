import type { EntryUsage } from "../../agents/index.ts";
import type { Piece } from "./pieces.ts";
import type { SessionFacts } from "./session-facts.ts";

/** Which part of a session somebody wants to see. Without a place: its end. */
export interface PageWish {
  readonly before?: string;
  readonly after?: string;
  readonly around?: string;
  /** The how-manieth entry to begin with. */
  readonly at?: number;
  /** The line or message around which to show: the first entry on it, or after it. */
  readonly line?: number;
  readonly limit: number;
  /** A child that is written into the same transcript. */
  readonly child?: string;
}

/** A part of a session, with what came back from the calls in it. */
export interface PiecesPage {
  readonly pieces: readonly Piece[];
  readonly results: ReadonlyMap<string, ResultPiece>;
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly total?: number;
  readonly from?: number;
  /** What calls of the model used in it; only of a turn. */
  readonly usages?: readonly (EntryUsage & { readonly model?: string })[];
}

export type ResultPiece = Extract<Piece, { kind: "result" }>;

export interface RawText {
  readonly text: string;
  readonly offset: number;
  readonly of?: number;
}

/** A transcript that can be read in parts. */
export interface SessionSource {
  /** Where it is, for people. */
  readonly file: string;
  size(): number;
  /** Brings what is known of it up to date; may go on in the background. */
  refresh(): Promise<void>;
  /** How much is read, from 0 to 1: while it is less than 1, `facts` are not complete. */
  readonly indexed: number;
  readonly facts: SessionFacts;
  page(wish: PageWish): PiecesPage;
  /** All pieces of the turn that a place is in; without: of the last. */
  turn(key?: string): PiecesPage;
  /** The line a piece is on, as it is written. */
  raw(key: string): RawText | undefined;
}
