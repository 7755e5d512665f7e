import { cpSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_AGENTS, agentNamed, contentEntries } from "../agents/index.ts";
import { exported, openCodeDatabase } from "../agents/opencode/test-kit/database.ts";
import { isRecord } from "../values/index.ts";
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

/** Fields that hold what people, models and tools said; all others are notes about it. */
const SAID =
  /\.(text|content|message|thinking|summary|output|stdout|command|cmd|arguments|file_path|path|pattern|description|old_string|new_string|query|prompt|transformedContent|transformedPrompt|fileDiff|sessionLog|instructions|body)(\[\])?$/i;

/** Where grep finds which words and search does not, with what docs/search.md says of them. */
const NOT_FOUND: readonly { readonly said: string; readonly where: readonly RegExp[] }[] = [
  {
    said: "**What agents put in by themselves**",
    where: [
      /^claude-code attachment\./,
      /^claude-code user\.message\.content\[\]\.text: /,
      /^codex session_meta\.payload\.base_instructions\./,
      /^codex world_state\./,
      /^codex response_item\/message\.payload\.content\[\]\.text: /,
      /^gemini \.\$set\.messages\[\]\.content\[\]\.text: /,
      /^copilot-cli .*\.transformed(Content|Prompt): /,
      /^copilot-cli system\.message\./,
      /^pi compaction\.summary: /,
      /^factoryai-droid message\.message\.content\[\]\.text: /,
      /^factoryai-droid message\.message\.hookCommands/,
      /^cursor user\.message\.content\[\]\.text: /,
    ],
  },
  {
    said: "**What agents wrap around commands and their output**",
    where: [
      /^codex response_item\/(custom_tool|function)_call_output\.payload\.output: /,
      /^codex response_item\/function_call\.payload\.arguments: /,
      /^codex event_msg\/item_completed\.payload\.item\.command\[\]: /,
      /^gemini .*functionResponse\.response\.output: /,
      /^gemini .*resultDisplay\.fileDiff: /,
      /^gemini .*toolCalls\[\]\.description: /,
      /^copilot-cli .*\.sessionLog: /,
      /^copilot-cli tool\.execution_complete\.data\.result\.content: (shellid|completed|exit|code)$/,
    ],
  },
  {
    said: "**What agents note about each line**",
    where: [/^codex turn_context\.payload\.summary: /],
  },
];

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

/** Every string of such a field in the file as it lies on disk, with where it stands. */
function stringsOf(agent: Recorded): { path: string; text: string }[] {
  const file = join(KIT, agent, "test-kit/transcripts", RECORDED[agent][0]);
  const strings: { path: string; text: string }[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === "string" && SAID.test(path)) strings.push({ path, text: value });
    else if (Array.isArray(value)) for (const one of value) visit(one, `${path}[]`);
    else if (isRecord(value)) {
      for (const [key, one] of Object.entries(value)) visit(one, `${path}.${key}`);
    }
  };
  for (const text of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const line: unknown = JSON.parse(text);
    if (!isRecord(line)) continue;
    const { type = line.role ?? "", payload } = line;
    visit(line, isRecord(payload) && payload.type ? `${type}/${payload.type}` : `${type}`);
  }
  return strings;
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

  it("what grep finds in the files themselves is found, or the docs say why not", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/search.md"), "utf8");
    const used = new Set<RegExp>();
    const missed = new Set<string>();
    let found = 0;
    for (const agent of AGENTS) {
      for (const { path, text } of stringsOf(agent)) {
        const field = `${agent} ${path}`;
        for (const word of text.toLowerCase().match(WORD) ?? []) {
          if (find(word, { in: "all" }).includes(agent)) {
            found++;
            continue;
          }
          const missing = `${field}: ${word}`;
          const why = NOT_FOUND.flatMap(({ where }) => where).find((one) => one.test(missing));
          if (why) used.add(why);
          else missed.add(missing);
        }
      }
    }
    expect([...missed]).toEqual([]);
    expect(found).toBeGreaterThan(500);
    for (const { said, where } of NOT_FOUND) {
      expect(docs).toContain(said);
      // A reason that nothing needs any more would hide what is missed later.
      expect(where.filter((one) => !used.has(one))).toEqual([]);
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
