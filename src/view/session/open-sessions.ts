import { dirname } from "node:path";
import type { ReadableFile } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { Allowed, Stop } from "../api.ts";
import { decidedCalls } from "./decided-calls.ts";
import { DocumentSource } from "./document-source.ts";
import { type FoundSession, findSession, isLinkOut, type SessionWish } from "./find-session.ts";
import { LineSource } from "./line-source.ts";
import type { SessionSource } from "./source.ts";

/** Sessions whose index is kept. The one that was asked for least lately makes room. */
const MOST_OPEN = 32;
/** What lies beside the transcript is looked at anew after that. */
const AROUND_MS = 2_000;

export interface OpenSession {
  readonly found: FoundSession;
  readonly source: SessionSource;
  readonly stops: ReadonlyMap<string, Stop>;
  readonly allowed: ReadonlyMap<string, Allowed>;
}

interface Kept {
  found: FoundSession;
  source: SessionSource;
  stops: ReadonlyMap<string, Stop>;
  allowed: ReadonlyMap<string, Allowed>;
  at: number;
}

/** The sessions that pages look at. */
export class OpenSessions {
  readonly #kept = new Map<string, Kept>();

  async open(wish: SessionWish): Promise<OpenSession> {
    const key = `${wish.agent}/${wish.session}`;
    const known = this.#kept.get(key);
    if (known && Date.now() - known.at < AROUND_MS) return this.#touched(key, known);
    const found = await findSession(wish);
    const decided = await decidedCalls(found, wish.session);
    const isSame = known !== undefined && known.source.file === nameOf(found);
    const source = isSame ? known.source : sourceOf(found);
    return this.#touched(key, { found, source, ...decided, at: Date.now() });
  }

  /** A child with a transcript of its own; undefined if it is written into its parent's. */
  async child({ found }: OpenSession, id: string): Promise<SessionSource | undefined> {
    if (found.ref === undefined || !found.agent.sessions.subagents) return undefined;
    const children = await found.agent.sessions.subagents(found.ref);
    const ref = children.find((one) => one.id === id)?.ref;
    if (ref === undefined || isLinkOut(ref, dirname(found.ref))) return undefined;
    const key = `child ${ref}`;
    const known = this.#kept.get(key);
    const decided = { stops: new Map(), allowed: new Map() };
    const there = known ?? { found, source: sourceOf({ ...found, ref }), ...decided, at: 0 };
    return this.#touched(key, there).source;
  }

  #touched(key: string, kept: Kept): Kept {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_OPEN && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}

const nameOf = ({ ref, stored }: FoundSession) => ref ?? stored?.name ?? "";

function sourceOf(found: FoundSession): SessionSource {
  const { transcript } = found.agent;
  const { ref, stored } = found;
  if (stored) {
    if (!transcript.lines) throw new SeamError("SEAM_VIEW_SESSION", { session: stored.name });
    const { content } = stored;
    return new LineSource(stored.name, transcript.lines, () => inMemory(content));
  }
  if (ref === undefined) throw new SeamError("SEAM_VIEW_SESSION", { session: "" });
  if (!transcript.lines || transcript.isDocument?.(ref)) return new DocumentSource(ref, transcript);
  return new LineSource(ref, transcript.lines);
}

function inMemory(content: Buffer): ReadableFile {
  return {
    read: (into, length, position) => content.copy(into, 0, position, position + length),
    stat: () => ({ size: content.length, ino: 0 }),
    close: () => {},
  };
}
