import { cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_AGENTS, agentNamed, contentEntries } from "../agents/index.ts";
import { exported, openCodeDatabase } from "../agents/opencode/test-kit/database.ts";
import { search } from "./find/search.ts";
import { Indexer } from "./indexing/indexer.ts";
import { textsOf } from "./indexing/texts.ts";
import { numberIn, openToRead } from "./store/database.ts";
import { TOOL_ROLES } from "./store/roles.ts";
import { searchPlace } from "./test-kit/place.ts";

const KIT = join(import.meta.dirname, "../agents");

/** A recorded session of each agent: where it is kept here, and where its agent keeps it. */
const RECORDED = {
  "claude-code": ["main.jsonl", ".claude/projects/-home-dev-app/main.jsonl"],
  codex: [
    "rollout.jsonl",
    ".codex/sessions/2026/11/15/rollout-2026-11-15T17-58-58-01a1e05c-c3e8-78e1-9f96-d1e5fb5d8a3f.jsonl",
  ],
  gemini: ["session.jsonl", ".gemini/tmp/app/chats/session-2026-11-15T17-54-3bc8092b.jsonl"],
  "copilot-cli": ["events.jsonl", ".copilot/session-state/1204492f/events.jsonl"],
  pi: [
    "main-resumed-compacted.jsonl",
    ".pi/agent/sessions/--home-dev-app--/2026-11-15T17-58-56-644Z_01a1e05c.jsonl",
  ],
  "factoryai-droid": ["session.jsonl", ".factory/sessions/-home-dev-app/79605740.jsonl"],
  cursor: ["agent.jsonl", ".cursor/projects/home-dev-app/agent-transcripts/c1/c1.jsonl"],
} as const;

type Recorded = keyof typeof RECORDED;
const AGENTS = Object.keys(RECORDED) as Recorded[];

/** Every text of a recorded session that can be searched, read without the index. */
function textsIn(agent: Recorded, inTools: boolean): string[] {
  const format = agentNamed(agent)?.transcript;
  if (!format) throw new Error(`There is no agent ${agent}.`);
  const content = readFileSync(join(KIT, agent, "test-kit/transcripts", RECORDED[agent][0]));
  return [...contentEntries(format, content)]
    .flatMap(({ entry }) => textsOf(entry, () => ""))
    .filter(({ role }) => TOOL_ROLES.has(role) === inTools)
    .map(({ text }) => text);
}

const TEXTS = new Map(AGENTS.map((agent) => [agent, textsIn(agent, false)]));
const TOOL_TEXTS = new Map(AGENTS.map((agent) => [agent, textsIn(agent, true)]));
const grep = (texts: ReadonlyMap<Recorded, readonly string[]>, isIn: (text: string) => boolean) =>
  AGENTS.filter((agent) => texts.get(agent)?.some(isIn)).sort();

/** A word as a person would look for it. */
const WORD = /[\p{L}\p{N}]+/gu;
const wordsOf = (texts: Iterable<readonly string[]>) =>
  new Set([...texts].flat().flatMap((text) => text.toLowerCase().match(WORD) ?? []));

describe("recorded sessions of seven agents", () => {
  let find: (query: string, more?: object) => string[];

  beforeAll(async () => {
    // The place of a test is gone with it: this one is for all of them.
    const { database, close } = await filled();
    find = (query, more = {}) =>
      search(database, { query, limit: 200, ...more })
        .hits.map(({ agent }) => agent)
        .sort();
    return close;
  });

  it("have something to be found in each", () => {
    for (const agent of AGENTS) expect(TEXTS.get(agent)?.length, agent).toBeGreaterThan(2);
  });

  it("every word that grep finds is found, in the same sessions", () => {
    const words = wordsOf(TEXTS.values());
    expect(words.size).toBeGreaterThan(50);
    for (const word of words) {
      const alone = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, "iu");
      const expected = grep(TEXTS, (text) => alone.test(text));
      // Parts of names are words here as well, so there may be more.
      expect(find(word), word).toEqual(expect.arrayContaining(expected));
    }
  });

  it("every piece of text that grep finds is found, in the same sessions", () => {
    const pieces = [...TEXTS.values()].flat().flatMap((text) => {
      const line = text.split("\n").find((one) => one.length > 8) ?? "";
      return [line.slice(1, 6), line.slice(3, 24)].filter((piece) => piece.trim().length > 4);
    });
    expect(pieces.length).toBeGreaterThan(50);
    for (const piece of new Set(pieces.map((one) => one.trim()))) {
      const expected = grep(TEXTS, (text) => text.toLowerCase().includes(piece.toLowerCase()));
      expect(find(piece, { substring: true }), piece).toEqual(expected);
    }
  });

  it("what tools gave back is found on request", () => {
    for (const word of [...wordsOf(TOOL_TEXTS.values())].slice(0, 200)) {
      const alone = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, "iu");
      const expected = grep(TOOL_TEXTS, (text) => alone.test(text));
      expect(find(word, { in: "tools" }), word).toEqual(expected);
    }
  });
});

/** An index over all of them, and its end. */
async function filled() {
  const base = mkdtempSync(join(tmpdir(), "seam-corpus-"));
  for (const agent of AGENTS) {
    const [from, to] = RECORDED[agent];
    mkdirSync(dirname(join(base, to)), { recursive: true });
    cpSync(join(KIT, agent, "test-kit/transcripts", from), join(base, to));
  }
  const indexer = new Indexer({
    home: join(base, "seam"),
    agents: ALL_AGENTS,
    folders: { home: base, env: {} },
    log: () => {},
  });
  await indexer.pass();
  const database = openToRead(join(base, "seam"));
  if (!database) throw new Error("There is no index.");
  const close = async () => {
    database.close();
    await indexer.close();
  };
  return { database, close };
}

it("sessions in OpenCode's database are found, and only new messages are read", async () => {
  const place = searchPlace();
  const database = openCodeDatabase(join(place.home, ".local/share/opencode/opencode.db"));
  const session = exported("export-main.json");
  database.session(session);
  for (const message of session.messages.slice(0, 4)) database.message(message);
  const indexer = place.indexer();
  const { entries } = await indexer.pass();
  expect(entries).toBeGreaterThan(0);
  expect(await indexer.pass()).toMatchObject({ sources: 0 });
  for (const message of session.messages.slice(4)) database.message(message);
  expect(await indexer.pass()).toMatchObject({ sources: 1, failed: 0 });
  const count = () =>
    place.reading((index) => numberIn(index.one("SELECT count(*) AS n FROM entries"), "n"));
  const total = count();
  await indexer.rebuild();
  expect(count()).toBe(total);
  expect(place.search("", { agent: "opencode" }).hits[0]).toMatchObject({
    project: "/home/dev/app",
  });
  database.close();
});
