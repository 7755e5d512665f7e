import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { searchRequest } from "../request.ts";
import { Database } from "../store/database.ts";
import { answered, asked, CLAUDE, searchPlace } from "../test-kit/place.ts";

const day = (date: string) => `2026-11-${date}T10:00:00.000Z`;
const edit = (path: string) => ({
  content: [
    {
      type: "tool_use",
      id: `t-${path}`,
      name: "Edit",
      input: { file_path: path, old_string: "a", new_string: "narwhal tusk" },
    },
  ],
});
const bash = {
  content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "make walrus" } }],
};
const printed = {
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t", content: "made a beluga" }],
  },
};

async function place() {
  const made = searchPlace();
  made.write(
    `${CLAUDE}/first.jsonl`,
    asked("fix the walrus parser in getUserName", { timestamp: day("01") }) +
      answered("It is fixed.", edit("/home/dev/app/src/parse.ts"), { timestamp: day("01") }) +
      answered("", bash, { timestamp: day("01") }) +
      asked("", { ...printed, timestamp: day("01") }),
  );
  made.write(
    ".claude/projects/-home-dev-other/second.jsonl",
    asked("walrus feeding", { timestamp: day("05"), cwd: "/home/dev/other" }),
  );
  made.write(
    ".codex/sessions/2026/11/09/rollout-2026-11-09T10-00-00-01a1e05c-c3e8-78e1-9f96-d1e5fb5d8a3f.jsonl",
    [
      { type: "session_meta", timestamp: day("09"), payload: { id: "x", cwd: "/home/dev/app" } },
      {
        type: "event_msg",
        timestamp: day("09"),
        payload: { type: "user_message", message: "feed the penguin 悬空指针 😀" },
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  await made.indexer().pass();
  const ids = (query: string, more: object = {}) =>
    made.search(query, more).hits.map(({ session }) => session.slice(0, 6));
  return { ...made, ids };
}

describe("search", () => {
  it("finds all words, then the text inside of words, then some of the words, and says how", async () => {
    const { search, ids } = await place();
    expect(search("walrus parser")).toMatchObject({ by: "words", hits: [{ session: "first" }] });
    expect(search("arser in getU")).toMatchObject({
      by: "substring",
      hits: [{ session: "first" }],
    });
    expect(search("walrus penguin")).toMatchObject({ by: "any word" });
    expect(ids("walrus penguin").sort()).toEqual(["01a1e0", "first", "second"]);
    expect(ids("nothing whatsoever")).toEqual([]);
  });

  it("finds phrases, beginnings, parts of names, and scripts without spaces", async () => {
    const { ids, search } = await place();
    expect(ids('"walrus feeding"')).toEqual(["second"]);
    expect(search('"feeding walrus"').by).toBe("words");
    expect(ids('"feeding walrus"')).toEqual([]);
    expect(ids("feed*").sort()).toEqual(["01a1e0", "second"]);
    expect(ids("user name")).toEqual(["first"]);
    for (const part of ["悬空", "空指", "悬空指针", "针", "悬", "😀"])
      expect(ids(part), part).toEqual(["01a1e0"]);
  });

  it("keeps what tools gave back apart", async () => {
    const { ids, search } = await place();
    expect(ids("beluga")).toEqual([]);
    expect(search("beluga", { in: "tools" }).hits).toMatchObject([
      { role: "output", tool: "bash" },
    ]);
    expect(search("narwhal", { in: "all" }).hits).toMatchObject([{ role: "input", tool: "edit" }]);
    expect(search("beluga", { role: "output" }).hits).toHaveLength(1);
  });

  it("filters", async () => {
    const { ids } = await place();
    expect(ids("walrus", { agent: "claude-code", project: "/home/dev/app" })).toEqual(["first"]);
    expect(ids("walrus", { project: "other" })).toEqual(["second"]);
    expect(ids("walrus", { since: "2026-11-03" })).toEqual(["second"]);
    expect(ids("walrus", { until: "2026-11-03" })).toEqual(["first"]);
    expect(ids("walrus", { role: "call" })).toEqual(["first"]);
    expect(ids("walrus", { tool: "bash" })).toEqual(["first"]);
    expect(ids("walrus", { file: "src/parse.ts" })).toEqual(["first"]);
    expect(ids("walrus", { file: "arse.ts" })).toEqual([]);
    expect(ids("walrus", { session: "sec" })).toEqual(["second"]);
    expect(ids("", { since: "2026-11-04" })).toEqual(["01a1e0", "second"]);
    expect(ids("walrus", { commit: "abc" })).toEqual([]);
  });

  it("gives page after page, each session once", async () => {
    const { search } = await place();
    const first = search("walrus", { limit: 1 });
    const second = search("walrus", { limit: 1, cursor: first.cursor ?? "" });
    expect(second.cursor).toBeUndefined();
    expect(new Set([...first.hits, ...second.hits].map(({ session }) => session)).size).toBe(2);
  });

  it.each([
    '"',
    '"" ""',
    "*",
    "a*b",
    "(",
    "NEAR(a b, 2)",
    "text:walrus",
    "^walrus",
    "a\0b",
    "-",
    "🦭",
    "字",
    "' OR 1=1",
    "%",
    "_",
    "\u{10FFFF}",
    "walrus AND",
    "{}[]\\",
  ])("takes any text as a text: %j", async (query) => {
    const { search } = await place();
    expect(() => search(query)).not.toThrow();
    expect(() => search(query, { substring: true })).not.toThrow();
  });

  it("refuses what cannot be meant, in words", async () => {
    const { search } = await place();
    expect(() => search("  ")).toThrow("neither words nor filters");
    expect(() => search("x", { agent: "claude" })).toThrow('nothing of an agent "claude"');
    expect(() => search("x", { cursor: "abc" })).toThrow("cursor");
    expect(() => searchRequest({ query: "x", role: "promt" })).toThrow(
      expect.objectContaining({ next: "Did you mean prompt?" }),
    );
    expect(() => searchRequest({ query: "x", since: "yesterdayish" })).toThrow("no date or time");
    expect(() => searchRequest({ query: "x".repeat(10_000) })).toThrow("query");
    expect(() => searchRequest({ query: "x", limit: 0 })).toThrow("limit");
    expect(() => searchRequest({ query: "x", colour: "red" })).toThrow("cannot be searched for");
    expect(() => searchRequest(7)).not.toThrow();
  });
});

describe("filters over many sessions", () => {
  const SESSIONS = 130;

  /** So many sessions of one project, of which the first has a word that no other has. */
  async function many() {
    const made = searchPlace();
    for (let n = 0; n < SESSIONS; n++) {
      const at = new Date(Date.UTC(2026, 0, 1 + n)).toISOString();
      const where = { timestamp: at, cwd: n % 10 === 5 ? "/home/dev/other" : "/home/dev/app" };
      const said = `walrus ${n === 0 ? "narwhal" : ""}`;
      const name = String(n).padStart(3, "0");
      made.write(`${CLAUDE}/n${name}.jsonl`, asked(said, where) + answered("Done.", {}, where));
    }
    await made.indexer().pass();
    const ids = (query: string, more: object = {}) =>
      made.search(query, { limit: 200, ...more }).hits.map(({ session }) => session);
    return { ...made, ids };
  }

  it("find what only an old one of them has, and leave none out", async () => {
    const { ids, search } = await many();
    expect(ids("narwhal", { project: "/home/dev/app" })).toEqual(["n000"]);
    expect(ids("narwhal", { project: "/home/dev/other" })).toEqual([]);
    expect(ids("walrus", { project: "/home/dev/other" })).toHaveLength(SESSIONS / 10);
    expect(ids("walrus", { agent: "claude-code" })).toHaveLength(SESSIONS);
    expect(ids("", { agent: "claude-code", role: "prompt" })).toHaveLength(SESSIONS);
    expect(ids("", { project: "/home/dev/other" })).toHaveLength(SESSIONS / 10);
    expect(ids("walrus", { role: "answer" })).toEqual([]);
    expect(ids("done", { role: "answer", project: "/home/dev/other" })).toHaveLength(13);
    expect(search("walrus", { project: "/home/dev/other" }).isPartial).toBeUndefined();
  });

  it("of time count for each entry, and sessions without times pass none of them", async () => {
    const { ids, write, indexer } = await many();
    const timeless = JSON.stringify({ type: "user", message: { role: "user", content: "walrus" } });
    write(`${CLAUDE}/timeless.jsonl`, `${timeless}\n`);
    await indexer().pass();
    expect(ids("walrus", { since: "2026-05-09" })).toEqual(["n129", "n128"]);
    expect(ids("walrus", { until: "2026-01-03" }).sort()).toEqual(["n000", "n001"]);
    expect(ids("walrus", { since: "2027-01-01" })).toEqual([]);
    expect(ids("walrus")).toContain("timeless");
  });
});

it("an index from before entries were found by session, role and tool is given that", async () => {
  const made = searchPlace();
  made.write(`${CLAUDE}/a.jsonl`, asked("walrus"));
  const first = made.indexer();
  await first.pass();
  const indexes = () =>
    made.reading((index) =>
      index
        .all("SELECT name FROM sqlite_master WHERE name LIKE 'entries_%'")
        .map(({ name }) => name),
    );
  expect(indexes()).toEqual(["entries_session", "entries_role", "entries_tool"]);
  await first.close();
  const database = new Database(join(made.seam, "search/index.db"));
  database.exec("DROP INDEX entries_session; DROP INDEX entries_role; DROP INDEX entries_tool;");
  database.close();
  expect(made.search("walrus", { project: "/home/dev/app" }).hits).toHaveLength(1);
  await made.indexer().pass();
  expect(indexes()).toHaveLength(3);
  expect(made.search("walrus", { project: "/home/dev/app" }).hits).toHaveLength(1);
});

it("a session whose agent gave it no title is called by its first prompt, in one line", async () => {
  const place = searchPlace();
  const long = `Move billing ${"and ".repeat(50)}`;
  place.write(`${CLAUDE}/a.jsonl`, asked(`${long}\nmore`) + answered("The walrus is moved."));
  await place.indexer().pass();
  expect(place.search("walrus").hits[0]?.title).toBe(`${long.slice(0, 100)}…`);
});
