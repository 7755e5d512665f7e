import type { FoundBy, Hit, SearchAnswer } from "../answer.ts";
import { refused, type SearchRequest } from "../request.ts";
import { type Database, numberIn, textIn } from "../store/database.ts";
import { numberOfRole, type Role, roleOfNumber } from "../store/roles.ts";
import { type Term, termsOf } from "../text/query.ts";
import { snippetOf, soughtTexts } from "../text/snippet.ts";
import {
  type Candidate,
  type Candidates,
  newest,
  withAllWords,
  withAnyWord,
  withText,
} from "./candidates.ts";
import { agentsIn } from "./filters.ts";
import { filtersOf } from "./scope.ts";

const NONE: Candidates = { found: [], isPartial: false };
const LIMIT = 10;
const SNIPPET = 160;
const MOST_TITLE = 100;
const FIRST_ENTRIES = 20;

/** What a person said weighs more than what a model thought. */
const WEIGHT: Readonly<Record<Role, number>> = {
  prompt: 2,
  title: 2,
  answer: 1.5,
  stop: 1.2,
  call: 1,
  thinking: 0.8,
  input: 0.7,
  output: 0.7,
};

/** Looks something up: the best hit of each session, the best of them first. */
export function search(database: Database, request: SearchRequest): SearchAnswer {
  const { limit = LIMIT } = request;
  const start = startOf(request.cursor);
  checkAgent(database, request.agent);
  const terms = request.substring ? [] : termsOf(request.query);
  const { by, candidates } = lookUp(database, request, terms, start + limit);
  const sessions = bestOfEach(candidates.found, by);
  const page = sessions.slice(start, start + limit);
  const sought = by === "substring" ? [request.query.trim()] : soughtTexts(terms);
  const hits = page.flatMap((one) => hitOf(database, one, sought, request.snippet ?? SNIPPET));
  const hasMore = sessions.length > start + limit;
  return {
    hits,
    by,
    ...(hasMore && { cursor: String(start + limit) }),
    ...(candidates.isPartial && { isPartial: true }),
  };
}

function lookUp(
  database: Database,
  request: SearchRequest,
  terms: readonly Term[],
  wanted: number,
): { by: FoundBy; candidates: Candidates } {
  const filters = filtersOf(database, request);
  const text = request.query.trim();
  if (text === "") {
    if (!filters.isAny) {
      throw refused(
        "there are neither words nor filters.",
        'Say what to look for: seam search "flaky test", or seam search --since 7d',
      );
    }
    return { by: "filters", candidates: newest(database, filters) };
  }
  if (filters.scope?.isEmpty) return { by: "words", candidates: NONE };
  const inTools = request.in === "tools";
  if (terms.length > 0) {
    const candidates = withAllWords(database, terms, request, filters, wanted);
    if (candidates.found.length > 0) return { by: "words", candidates };
  }
  if (!inTools) {
    // A part of a word, or signs that no tokeniser takes for words.
    const bare = request.substring ? text : text.replace(/^"([^"]*)"$/, "$1");
    const candidates = withText(database, bare, filters, wanted);
    if (candidates.found.length > 0 || terms.length === 0) return { by: "substring", candidates };
  }
  if (terms.length > 1) {
    const candidates = withAnyWord(database, terms, request, filters, wanted);
    if (candidates.found.length > 0) return { by: "any word", candidates };
  }
  return { by: "words", candidates: NONE };
}

interface Best extends Candidate {
  readonly hits: number;
}

const DAY_MS = 86_400_000;

function bestOfEach(found: readonly Candidate[], by: FoundBy): Best[] {
  const newestAt = Math.max(0, ...found.slice(0, 1).map(({ at }) => at ?? 0));
  const bySession = new Map<number, { best: Candidate; value: number; hits: number }>();
  for (const candidate of found) {
    const value = candidate.score * WEIGHT[roleOfNumber(candidate.role)];
    const known = bySession.get(candidate.session);
    if (!known) bySession.set(candidate.session, { best: candidate, value, hits: 1 });
    else {
      known.hits++;
      if (value > known.value) Object.assign(known, { best: candidate, value });
    }
  }
  // Between hits that are about as good, the newer one is more likely to be meant.
  const rank = ({ best, value }: { best: Candidate; value: number }) =>
    by === "filters" || by === "substring"
      ? (best.at ?? 0)
      : value * (1 + 1 / (1 + Math.max(0, newestAt - (best.at ?? 0)) / (30 * DAY_MS)));
  return [...bySession.values()]
    .sort((a, b) => rank(b) - rank(a) || b.best.id - a.best.id)
    .map(({ best, hits }) => ({ ...best, hits }));
}

function hitOf(
  database: Database,
  { id, session, role, at, hits }: Best,
  sought: readonly string[],
  most: number,
): Hit[] {
  const entry = database.one("SELECT text, tool, position FROM entries WHERE id = ?", id);
  const about = database.one("SELECT * FROM sessions WHERE id = ?", session);
  if (!entry || !about) return [];
  const time = at ?? numberIn(about, "last");
  const project = textIn(about, "project");
  const title = textIn(about, "title") ?? firstPrompt(database, session);
  const tool = textIn(entry, "tool");
  const position = numberIn(entry, "position");
  return [
    {
      agent: textIn(about, "agent") ?? "",
      session: textIn(about, "session") ?? "",
      ...(project !== undefined && { project }),
      ...(title !== undefined && { title }),
      ...(time !== undefined && { at: new Date(time).toISOString() }),
      role: roleOfNumber(role),
      ...(tool !== undefined && { tool }),
      ...(position !== undefined && { position }),
      snippet: snippetOf(textIn(entry, "text") ?? "", sought, most),
      hits,
    },
  ];
}

/** What a session is called whose agent gave it no title. */
function firstPrompt(database: Database, session: number): string | undefined {
  // Among the first entries alone: a long session without any prompt is not read to its end.
  const first = database.one(
    `SELECT substr(text, 1, 400) AS text FROM (SELECT * FROM entries WHERE session = ? ORDER BY id LIMIT ${FIRST_ENTRIES})
     WHERE role = ? ORDER BY id LIMIT 1`,
    session,
    numberOfRole("prompt"),
  );
  const [line = ""] = (textIn(first, "text") ?? "").trim().split("\n", 1);
  if (line === "") return undefined;
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE)}…` : line;
}

function startOf(cursor: string | undefined): number {
  const start = Number(cursor ?? 0);
  if (!Number.isSafeInteger(start) || start < 0) {
    throw refused(`the cursor "${cursor}" is none.`, "Use the one that the last answer gave.");
  }
  return start;
}

/** A name without any hit is more likely mistyped than meant. */
function checkAgent(database: Database, agent: string | undefined): void {
  if (agent === undefined) return;
  const there = agentsIn(database);
  if (there.length > 0 && !there.includes(agent)) {
    throw refused(
      `nothing of an agent "${agent}" is in the index.`,
      `There is something of: ${there.join(", ")}.`,
    );
  }
}
