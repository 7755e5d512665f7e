import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { Search } from "./service.ts";
import { asked, CLAUDE, searchPlace } from "./test-kit/place.ts";

/** Search as the daemon has it, in its threads. They look for sessions in this process's home. */
function service() {
  const place = searchPlace();
  const before = process.env.HOME;
  process.env.HOME = place.home;
  const logged: string[] = [];
  const search = new Search(place.seam, (_, text) => logged.push(text));
  onTestFinished(async () => {
    await search.close();
    if (before !== undefined) process.env.HOME = before;
  });
  return { ...place, search, logged };
}

const LONG_MS = 60_000;

it("there is no index before the first question, whatever agents do", async () => {
  const { search, seam } = service();
  search.heard();
  await sleep(20);
  expect(existsSync(join(seam, "search"))).toBe(false);
  const { answer, index } = await search.search({ query: "walrus" }, LONG_MS);
  expect(answer.hits).toEqual([]);
  expect(index.isComplete).toBe(true);
});

it("what an agent wrote is in the index a moment after it was heard, without a question", async () => {
  const { search, write } = service();
  const file = write(`${CLAUDE}/a.jsonl`, asked("walrus"));
  expect((await search.search({ query: "walrus" }, LONG_MS)).answer.hits).toHaveLength(1);
  appendFileSync(file, asked("narwhal"));
  search.heard();
  const found = async () => (await search.search({ query: "narwhal" }, 0)).answer.hits.length;
  for (const until = Date.now() + LONG_MS; (await found()) === 0; await sleep(50)) {
    if (Date.now() > until) throw new Error("It was never read.");
  }
});

it("a question that comes during a pass finds what was written since that began", async () => {
  const { search, write } = service();
  for (let n = 0; n < 300; n++) write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${n}`).repeat(20));
  const pass = search.refresh(LONG_MS);
  // What there is was listed before the first of it is read.
  const isReading = () => "progress" in search.status();
  const isOver = pass.then(() => true);
  while (!isReading()) if (await Promise.race([isOver, sleep(1, false)])) break;
  write(`${CLAUDE}/new.jsonl`, asked("narwhal"));
  const { answer, index } = await search.search({ query: "narwhal" }, LONG_MS);
  expect(answer.hits).toHaveLength(1);
  expect(index.isComplete).toBe(true);
});

it("whoever waits in steps waits for the pass of his first step, and for no later one", async () => {
  const { search, write } = service();
  for (let n = 0; n < 300; n++) write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${n}`).repeat(20));
  let now = await search.refresh(1);
  const first = now.pass;
  while (!now.isComplete) {
    expect(now.pass).toBe(first);
    now = await search.refresh(1, now.pass);
  }
  expect(await search.size()).toMatchObject({ sessions: 300 });
  // A daemon that started anew has counted less far.
  expect((await search.refresh(LONG_MS, 1_000_000)).isComplete).toBe(true);
});

it("many questions at once, a new index in between and a session that goes are all answered", async () => {
  const { search, write } = service();
  for (let n = 0; n < 5; n++) write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${n}`));
  await search.refresh(LONG_MS);
  const asking = Array.from({ length: 20 }, () => search.search({ query: "walrus" }, 0));
  const [again] = await Promise.all([search.rebuild(LONG_MS), ...asking]);
  expect(again.isComplete).toBe(true);
  await search.forget("s3");
  const { answer } = await search.search({ query: "walrus" }, LONG_MS);
  expect(answer.hits.map(({ session }) => session).sort()).toEqual(["s0", "s1", "s2", "s4"]);
  expect(await search.size()).toMatchObject({ problems: 0 });
});

it("what cannot be answered says why, and the next question is answered", async () => {
  const { search, seam, write } = service();
  write(`${CLAUDE}/a.jsonl`, asked("walrus"));
  await search.refresh(LONG_MS);
  await expect(search.search({ query: "x", cursor: "?" }, 0)).rejects.toMatchObject({
    code: "SEAM_SEARCH_QUERY",
  });
  mkdirSync(join(seam, "search"), { recursive: true });
  writeFileSync(join(seam, "search/version"), "99\n");
  expect((await search.search({ query: "walrus" }, 0)).answer.hits).toHaveLength(1);
});

it("an index that is damaged where only a question looks is made anew, and the question is answered", async () => {
  const { search, seam, write, logged } = service();
  for (let n = 0; n < 5; n++) write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${n}`));
  await search.refresh(LONG_MS);
  // The log of what was written last: it has the same length, and nothing in it is right.
  const log = join(seam, "search/index.db-wal");
  writeFileSync(log, Buffer.alloc(statSync(log).size, "x"));
  const asking = Array.from({ length: 4 }, () => search.search({ query: "walrus" }, LONG_MS));
  for (const { answer } of await Promise.all(asking)) expect(answer.hits).toHaveLength(5);
  expect(logged.filter((text) => text.includes("made anew"))).toHaveLength(1);
});

it("a daemon that ends while it reads finishes its statement, and the next one reads the rest", async () => {
  const { search, seam, write, logged } = service();
  for (let n = 0; n < 300; n++) write(`${CLAUDE}/s${n}.jsonl`, asked(`walrus ${n}`).repeat(20));
  const pass = search.refresh(LONG_MS);
  // It has begun when the index is there.
  while (!existsSync(join(seam, "search/index.db"))) await sleep(1);
  await Promise.all([
    expect(pass).rejects.toMatchObject({ code: "SEAM_SEARCH_ENDED" }),
    search.close(),
  ]);
  const next = new Search(seam, (_, text) => logged.push(text));
  onTestFinished(() => next.close());
  expect((await next.refresh(LONG_MS)).isComplete).toBe(true);
  expect(await next.size()).toEqual({ entries: 6_000, sessions: 300, problems: 0 });
  expect(logged).toEqual([]);
});
