import { basename } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { Repo } from "../../git/index.ts";
import type {
  EntriesPage,
  Entry,
  RawLine,
  SessionCard,
  SessionHead,
  TurnTimeline,
  WholeEntry,
} from "../api.ts";
import { branchOf } from "../open-repository.ts";
import type { Picture } from "./blocks.ts";
import { callDiff } from "./call-diff.ts";
import type { SessionWish } from "./find-session.ts";
import { type OpenSession, OpenSessions } from "./open-sessions.ts";
import type { Piece } from "./pieces.ts";
import { resultText } from "./pieces.ts";
import type { PageWish, PiecesPage, SessionSource } from "./source.ts";
import { timelineOf } from "./timeline.ts";
import { type Around, toEntries } from "./to-entries.ts";

/** What a page can take of one entry. */
const MOST_WHOLE = 4 * 1024 * 1024;
/** A transcript up to that is read to its end before anything is said about it. */
const SOON_BYTES = 4 * 1024 * 1024;
const TITLE = 120;

export interface EntryWish extends SessionWish {
  readonly key: string;
  readonly child?: string;
}

/** What is known of a session beside what its hooks tell. */
export type CardFacts = Pick<
  SessionCard,
  "title" | "branch" | "usage" | "cost" | "context" | "model"
>;

/** Answers what the page asks about sessions. */
export class SessionAnswers {
  readonly #sessions = new OpenSessions();

  async head(wish: SessionWish): Promise<Omit<SessionHead, "live">> {
    const open = await this.#sessions.open(wish);
    const { found, source } = open;
    await refreshed(source);
    const { facts, indexed } = source;
    const isIndexed = indexed >= 1;
    const branch = found.state?.branch ?? (found.repo && (await branchOf(found.repo)));
    const { agent, state, repo, cwd } = found;
    const first = facts.prompts[0] ?? firstPrompt(source);
    const model = facts.model ?? state?.model;
    return {
      agent: wish.agent,
      session: wish.session,
      agentType: agent.type,
      title: titleOf(facts.title, first?.text, wish.session),
      ...(cwd !== undefined && { cwd }),
      ...(repo?.workTree !== undefined && { repository: repo.workTree }),
      ...(branch !== undefined && { branch }),
      ...(model !== undefined && { model }),
      ...(facts.startedAt !== undefined && { startedAt: facts.startedAt }),
      ...(facts.lastAt !== undefined && { lastAt: facts.lastAt }),
      size: source.size(),
      isIndexed,
      indexed,
      ...(isIndexed && { entries: facts.entries }),
      prompts: facts.prompts,
      ...(isIndexed && facts.usage && { usage: facts.usage }),
      ...(isIndexed && facts.cost !== undefined && { cost: facts.cost }),
      ...contextOf(source),
      files: [...facts.files].map((path) => ({ path })),
      ...(facts.todos && { todos: facts.todos }),
      resume: agent.sessions.resumeCommand(wish.session),
      ...(state?.fork_of !== undefined && { forkOf: state.fork_of }),
    };
  }

  async card(wish: SessionWish): Promise<CardFacts> {
    const { source, found } = await this.#sessions.open(wish);
    await refreshed(source);
    const { facts } = source;
    const branch = found.repo && (await branchOf(found.repo));
    const first = facts.prompts[0] ?? firstPrompt(source);
    return {
      title: titleOf(facts.title, first?.text, ""),
      ...(branch !== undefined && { branch }),
      ...(facts.model !== undefined && { model: facts.model }),
      ...(source.indexed >= 1 && facts.usage && { usage: facts.usage }),
      ...(source.indexed >= 1 && facts.cost !== undefined && { cost: facts.cost }),
      ...contextOf(source),
    };
  }

  async entries(wish: SessionWish & PageWish): Promise<EntriesPage> {
    const { page, around } = await this.#page(wish, wish);
    const { hasBefore, hasAfter, total, from } = page;
    return {
      entries: toEntries(page, around),
      hasBefore,
      hasAfter,
      ...(total !== undefined && { total }),
      ...(from !== undefined && { from }),
    };
  }

  async entry(wish: EntryWish): Promise<WholeEntry> {
    const { piece, page, around } = await this.#piece(wish);
    const [entry] = toEntries({ pieces: [piece], results: page.results }, around);
    if (!entry) throw new SeamError("SEAM_VIEW_ENTRY", { key: wish.key });
    return { entry, ...wholeOf(piece, page, entry) };
  }

  async raw(wish: EntryWish): Promise<RawLine> {
    const { piece, page, source } = await this.#piece(wish);
    const raw = source.raw(wish.key);
    if (!raw) throw new SeamError("SEAM_VIEW_ENTRY", { key: wish.key });
    const id = piece.kind === "call" ? piece.entry.tool?.callId : undefined;
    const result = id === undefined ? undefined : page.results.get(id);
    const answer = result && source.raw(`${result.offset}.${result.n}`);
    return {
      file: source.file,
      line: piece.line ?? -1,
      ...raw,
      ...(result && answer && { result: { line: result.line ?? -1, ...answer } }),
    };
  }

  async image(wish: EntryWish & { readonly n: number }): Promise<{ mime: string; data: Buffer }> {
    const { piece, page } = await this.#piece(wish);
    const id = piece.kind === "call" ? piece.entry.tool?.callId : undefined;
    const result = id === undefined ? undefined : page.results.get(id);
    const pictures: Picture[] = [...(piece.pictures ?? []), ...(result?.pictures ?? [])];
    const picture = pictures[wish.n];
    if (!picture) throw new SeamError("SEAM_VIEW_ENTRY", { key: wish.key });
    return { mime: picture.mime, data: Buffer.from(picture.data, "base64") };
  }

  async turn(wish: SessionWish & { readonly key?: string }): Promise<{
    readonly timeline: Omit<TurnTimeline, "turn">;
    readonly repository?: Repo;
  }> {
    const open = await this.#sessions.open(wish);
    await refreshed(open.source);
    const { repo } = open.found;
    const timeline = timelineOf(open.source.turn(wish.key), aroundOf(open, wish));
    return { timeline, ...(repo && { repository: repo }) };
  }

  async #page(wish: SessionWish, page: PageWish) {
    const open = await this.#sessions.open(wish);
    const own = page.child === undefined ? undefined : await this.#sessions.child(open, page.child);
    const source = own ?? open.source;
    // Children in a file of their own have no other children there.
    const { child, ...rest } = page;
    const inFile = own || child === undefined ? rest : page;
    // Lines have numbers once they are counted.
    if (page.line === undefined) await refreshed(source);
    else await source.refresh();
    return { page: source.page(inFile), source, around: aroundOf(open, wish) };
  }

  async #piece(wish: EntryWish) {
    const { key, child } = wish;
    const about = { around: key, limit: 2, ...(child !== undefined && { child }) };
    const { page, source, around } = await this.#page(wish, about);
    const piece = page.pieces.find(({ offset, n }) => `${offset}.${n}` === key);
    if (!piece) throw new SeamError("SEAM_VIEW_ENTRY", { key });
    return { piece, page, source, around };
  }
}

/** Short ones are read to their end at once; a long one goes on being read while pages are shown. */
async function refreshed(source: SessionSource): Promise<void> {
  const reading = source.refresh().catch(() => {});
  if (source.size() <= SOON_BYTES || source.indexed >= 1) await reading;
}

function aroundOf({ stops, allowed }: OpenSession, { isWorking = false }: SessionWish): Around {
  return { stops, allowed, isWorking };
}

/** While the index is made its first prompts are known, or will be in a moment. */
function firstPrompt(source: SessionSource): { readonly text: string } | undefined {
  const { pieces } = source.page({ at: 0, limit: 20 });
  const prompt = pieces.find((piece) => piece.kind === "prompt");
  return prompt?.kind === "prompt" ? { text: prompt.text.slice(0, 200) } : undefined;
}

function titleOf(title: string | undefined, prompt: string | undefined, session: string): string {
  const [line = ""] = (title ?? prompt ?? session).trim().split("\n", 1);
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line || basename(session);
}

function contextOf({ facts: { lastUsage } }: SessionSource): Pick<SessionHead, "context"> {
  if (!lastUsage) return {};
  const { input_tokens, cache_read_tokens, cache_creation_tokens, output_tokens } = lastUsage;
  const tokens = input_tokens + cache_read_tokens + cache_creation_tokens + output_tokens;
  return tokens > 0 ? { context: { tokens } } : {};
}

function wholeOf(piece: Piece, page: PiecesPage, entry: Entry): Omit<WholeEntry, "entry"> {
  if (piece.kind === "prompt" || piece.kind === "answer" || piece.kind === "thinking") {
    return cutTo(piece.text, "text");
  }
  if (piece.kind === "unknown") return cutTo(piece.raw, "text");
  if (piece.kind !== "call" || entry.kind !== "call") return {};
  const { tool } = piece.entry;
  const result = page.results.get(tool?.callId ?? "");
  const diff = callDiff(entry.call.tool, tool?.input, tool?.files, result?.patch);
  return {
    ...(tool?.input !== undefined && { input: tool.input }),
    ...(result && cutTo(resultText(result.entry), "output")),
    ...(diff !== undefined && { diff }),
  };
}

function cutTo(text: string, name: "text" | "output"): Omit<WholeEntry, "entry"> {
  if (text.length <= MOST_WHOLE) return { [name]: text };
  return { [name]: text.slice(0, MOST_WHOLE), cut: { bytes: text.length - MOST_WHOLE } };
}
