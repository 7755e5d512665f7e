import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "../built.ts";
import { atMost, type Case, median } from "../frame.ts";
import { end, newPlace, startDaemon } from "../hooks/daemon.ts";
import { inChild } from "./child.ts";
import { Dice, Vocabulary } from "./words.ts";

// Typed by the sources: this file must also pass the type check where nothing is built.
type SearchRoom = typeof import("../../src/search/index.ts");
type DaemonRoom = typeof import("../../src/daemon/index.ts");

const LINES_A_SESSION = 2_000;
const RARE = "zyzzogeton";
const QUESTIONS = 200;

/** Questions to a daemon with very many entries, and ripgrep over the same files. */
export async function* queryCases(
  folder: string,
  entries: number,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(`questions over ${entries.toLocaleString("en-US")} entries`);
  const place = await newPlace(join(folder, "queries"));
  const home = join(folder, "many");
  const vocabulary = writeMany(home, entries);
  const { sizes } = await inChild({ way: "index", home, seam: place.home, wantsSizes: true });
  const daemon = await startDaemon({ ...place, env: { ...place.env, HOME: home } });
  try {
    const { search }: SearchRoom = await import(new URL("search/index.js", DIST).href);
    const { daemonPaths }: DaemonRoom = await import(new URL("daemon/index.js", DIST).href);
    const paths = daemonPaths(place.home);
    const ask = async (query: string, substring = false) => {
      const startedAt = performance.now();
      const { answer } = await search(paths, { query, ...(substring && { substring }) }, 0);
      return { ms: performance.now() - startedAt, hits: answer.hits.length };
    };
    await ask(RARE);
    const times: number[] = [];
    for (let n = 0; n < QUESTIONS; n++) {
      const word = vocabulary.word();
      const query = [word, `${word} ${vocabulary.word()}`, `"${word}"`, `${word.slice(0, 4)}*`][
        n % 4
      ];
      times.push((await ask(query ?? word, n % 10 === 9)).ms);
    }
    const sorted = [...times].sort((a, b) => a - b);
    yield atMost({
      name: `a question over ${(sizes?.entries ?? 0).toLocaleString("en-US")} entries, p95`,
      value: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
      bar: 50,
      unit: "ms",
      detail: [{ name: "median", value: median(times), unit: "ms" }],
    });
    yield* besideRipgrep(home, ask);
  } finally {
    await end(daemon);
  }
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

/** Sessions of Claude Code with nothing but prompts and answers. */
function writeMany(home: string, entries: number): Vocabulary {
  const dice = new Dice(1_300_000);
  const vocabulary = new Vocabulary(dice);
  const folder = join(home, ".claude/projects/-home-dev-app");
  mkdirSync(folder, { recursive: true });
  for (let session = 0; session * LINES_A_SESSION < entries; session++) {
    const lines: string[] = [];
    for (let at = 0; at < LINES_A_SESSION; at++) {
      const isRare = session === 1 && at === 7;
      const text = vocabulary.prose(40 + dice.below(160)) + (isRare ? ` ${RARE}` : "");
      const timestamp = new Date(
        Date.UTC(2026, 0, 1) + (session * LINES_A_SESSION + at) * 1_000,
      ).toISOString();
      const common = {
        uuid: `${session}-${at}`,
        timestamp,
        sessionId: `s${session}`,
        cwd: "/home/dev/app",
      };
      lines.push(
        at % 4 === 0
          ? JSON.stringify({ ...common, type: "user", message: { role: "user", content: text } })
          : JSON.stringify({
              ...common,
              type: "assistant",
              message: {
                id: `m${session}-${at}`,
                role: "assistant",
                content: [{ type: "text", text }],
              },
            }),
      );
    }
    writeFileSync(join(folder, `s${session}.jsonl`), `${lines.join("\n")}\n`);
  }
  return vocabulary;
}
