import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "../built.ts";
import { atMost, type Case, median } from "../frame.ts";
import { end, newPlace, startDaemon } from "../hooks/daemon.ts";
import { inChild } from "./child.ts";
import { RARE, SEED, writeCorpus } from "./corpus.ts";
import { Dice, Vocabulary } from "./words.ts";

// Typed by the sources: this file must also pass the type check where nothing is built.
type SearchRoom = typeof import("../../src/search/index.ts");
type DaemonRoom = typeof import("../../src/daemon/index.ts");
type SearchRequest = Parameters<SearchRoom["search"]>[1];

const QUESTIONS = 200;
/** What every fifth question is narrowed by, in turns: much is left, little, and nothing. */
const FILTERS = [
  { agent: "cursor" },
  { since: "2026-10-20" },
  { role: "prompt" },
  { tool: "bash" },
  { session: "00000003" },
  { project: "/home/dev/other" },
] as const;

/**
 * Questions to a daemon with very many entries, and ripgrep over the same files. A folder that has
 * them already, from a run before, is used as it is.
 */
export async function* queryCases(
  folder: string,
  entries: number,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(`questions over ${entries.toLocaleString("en-US")} entries`);
  const place = await newPlace(join(folder, "queries"));
  const home = join(folder, "many");
  if (!existsSync(home)) {
    rmSync(`${home}.part`, { recursive: true, force: true });
    writeCorpus(`${home}.part`, { entries });
    renameSync(`${home}.part`, home);
  }
  const vocabulary = new Vocabulary(new Dice(SEED));
  const { sizes } = await inChild({ way: "index", home, seam: place.home, wantsSizes: true });
  const daemon = await startDaemon({ ...place, env: { ...place.env, HOME: home } });
  try {
    const { search }: SearchRoom = await import(new URL("search/index.js", DIST).href);
    const { daemonPaths }: DaemonRoom = await import(new URL("daemon/index.js", DIST).href);
    const paths = daemonPaths(place.home);
    const ask = async (query: string, more: Partial<SearchRequest> = {}) => {
      const startedAt = performance.now();
      const { answer } = await search(paths, { query, ...more }, 0);
      return { ms: performance.now() - startedAt, hits: answer.hits.length };
    };
    const idle = memoryOf(daemon.pid);
    await ask(RARE);
    const times: number[] = [];
    for (let n = 0; n < QUESTIONS; n++) {
      const word = vocabulary.word();
      const query = [word, `${word} ${vocabulary.word()}`, `"${word}"`, `${word.slice(0, 4)}*`][
        n % 4
      ];
      const filter = n % 5 === 2 ? FILTERS[Math.floor(n / 5) % FILTERS.length] : undefined;
      const more = { ...filter, ...(n % 10 === 9 && { substring: true }) };
      times.push((await ask(query ?? word, more)).ms);
    }
    const sorted = [...times].sort((a, b) => a - b);
    yield atMost({
      name: `a question over ${(sizes?.entries ?? 0).toLocaleString("en-US")} entries, p95`,
      value: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
      bar: 50,
      unit: "ms",
      detail: [
        { name: "median", value: median(times), unit: "ms" },
        { name: "daemon before", value: idle, unit: "MB" },
        { name: "daemon after", value: memoryOf(daemon.pid), unit: "MB" },
      ],
    });
    yield* besideRipgrep(home, ask);
  } finally {
    await end(daemon);
  }
}

/** Megabytes a process has in memory. */
function memoryOf(pid: number | undefined): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout) / 1024;
}

async function* besideRipgrep(
  home: string,
  ask: (query: string) => Promise<{ ms: number; hits: number }>,
): AsyncGenerator<Case> {
  const ripgrep = () => {
    const startedAt = performance.now();
    const { status, error } = spawnSync("rg", ["-c", "--no-ignore", "--hidden", RARE, home]);
    return error || status !== 0 ? undefined : performance.now() - startedAt;
  };
  if (ripgrep() === undefined) {
    process.stderr.write("search: rg is not installed, so nothing is compared with it.\n");
    return;
  }
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    const { ms, hits } = await ask(RARE);
    if (hits !== 1) throw new Error(`The rare word was found ${hits} times.`);
    ours.push(ms);
    theirs.push(ripgrep() ?? Number.NaN);
  }
  yield atMost({
    name: "a rare word, beside ripgrep over the same files",
    value: median(ours) / median(theirs),
    bar: 1 / 20,
    unit: "of ripgrep",
    detail: [
      { name: "Seam", value: median(ours), unit: "ms" },
      { name: "ripgrep", value: median(theirs), unit: "ms" },
    ],
  });
}
