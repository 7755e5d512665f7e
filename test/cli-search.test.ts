import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answered, asked, CLAUDE } from "../src/search/test-kit/place.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { Machine, until } from "./record/machine.ts";
import { OLD, unpackOldStore } from "./record/old-store.ts";
import { inFull, isFull } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

function write(machine: Machine, path: string, text: string): void {
  const file = join(machine.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface Found {
  readonly hits: readonly { session: string; snippet: string; open: string; role: string }[];
  readonly by: string;
}

const found = async (machine: Machine, ...args: string[]): Promise<Found> => {
  const { stdout, stderr } = await machine.seam(machine.base, "search", "--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
};

describe("seam search", () => {
  it("answers from the daemon, which it starts, for people and for programs", async () => {
    const machine = newMachine();
    const app = join(machine.base, "app");
    mkdirSync(app);
    const said = asked("where is the walrus") + answered("in the sea");
    write(machine, `${CLAUDE}/a.jsonl`, said.replaceAll("/home/dev/app", app));
    const { stdout } = await machine.seam(machine.base, "search", "walrus");
    expect(stdout).toMatch(
      /^2026-11-01 .* {2}Claude Code {2}\S+\n {2}prompt {2}where is the walrus\n/,
    );
    expect(stdout).toContain("cd app && claude --resume a");
    expect(await found(machine, "walrus")).toEqual({
      hits: [
        {
          agent: "claude-code",
          session: "a",
          project: app,
          at: "2026-11-01T10:00:00.000Z",
          role: "prompt",
          snippet: "where is the «walrus»",
          open: "cd app && claude --resume a",
        },
      ],
      by: "words",
    });
    // Nobody can go to a folder that is gone.
    rmSync(app, { recursive: true });
    expect((await found(machine, "walrus")).hits).toMatchObject([{ open: "claude --resume a" }]);
    const status = await machine.seam(machine.base, "daemon", "status", "--json");
    expect(JSON.parse(status.stdout).services.search).toMatchObject({ isComplete: true });
    const stats = await machine.seam(machine.base, "stats", "--json");
    expect(JSON.parse(stats.stdout)).toMatchObject({
      by: "day",
      total: { calls: 1, input: 10, output: 20 },
    });
    const keys = { week: "2026-10-26", agent: "claude-code", project: app, session: "a" };
    for (const [by, key] of Object.entries(keys)) {
      const { stdout } = await machine.seam(machine.base, "stats", "--by", by, "--json");
      expect(JSON.parse(stdout)).toMatchObject({ by, rows: [{ key, calls: 1, output: 20 }] });
    }
    const table = await machine.seam(machine.base, "stats", "--by", "model");
    for (const line of table.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    // 10 and 20 tokens: less than a cent, and not nothing.
    expect(table.stdout).toMatch(/^claude-sonnet-4-6 .* 0\.0003$/m);
    const rebuilt = await machine.seam(machine.base, "search", "--rebuild", "--json");
    expect(rebuilt.stderr).toBe("");
    expect(JSON.parse(rebuilt.stdout)).toEqual({
      rebuilt: true,
      entries: 2,
      sessions: 1,
      unreadable: 0,
    });
  });

  it.runIf(isFull && !whyNoTerminal)(
    "shows on a terminal how far the index is that is made again",
    async () => {
      const machine = newMachine();
      // Half a second is over before this much is read, however fast the machine is.
      const [sessions, entries, words] = [24, 40, "walrus ".repeat(6_000)];
      for (let n = 0; n < sessions; n++) {
        const said = Array.from({ length: entries }, (_, at) => asked(`${n} ${at} ${words}`));
        write(machine, `${CLAUDE}/s${n}.jsonl`, said.join(""));
      }
      const { env } = machine;
      const terminal = new Terminal(["search", "--rebuild"], { cwd: machine.base, env });
      expect(await terminal.exited).toBe(0);
      const bars = [...terminal.text.matchAll(/Indexing ([█░]{24}) (\d+) %, \S+ \S+ of \S+ \S+/g)];
      expect(bars.length).toBeGreaterThan(0);
      for (const [, bar = "", percent] of bars) {
        const filled = bar.replaceAll("░", "").length;
        expect(Math.abs(filled - (Number(percent) / 100) * 24)).toBeLessThan(1.25);
      }
      // It only ever grows, and is gone in the end.
      const percents = bars.map(([, , percent]) => Number(percent));
      expect(percents).toEqual([...percents].sort((a, b) => a - b));
      const end = `The index was made again: ${sessions * entries} entries of ${sessions} sessions.`;
      expect(terminal.raw.split("\r\x1b[K").at(-1)?.trim()).toBe(end);
    },
  );

  it("says what is wrong with a question", async () => {
    const machine = newMachine();
    write(machine, `${CLAUDE}/a.jsonl`, asked("walrus"));
    const errorOf = async (...args: string[]) => {
      const { code, stdout } = await machine.seam(machine.base, "search", "--json", ...args);
      expect(code).not.toBe(0);
      return JSON.parse(stdout).error;
    };
    expect(await errorOf()).toMatchObject({ code: "SEAM_SEARCH_QUERY" });
    expect(await errorOf("x", "--since", "someday")).toMatchObject({ code: "SEAM_USAGE" });
    expect(await errorOf("x", "--since", "2026-02-31")).toMatchObject({ code: "SEAM_USAGE" });
    expect(await errorOf("x", "--role", "promt")).toMatchObject({
      message: expect.stringContaining('there is no role "promt".'),
      next: "Did you mean prompt?",
    });
    expect(await errorOf("x", "--agent", "cloud")).toMatchObject({
      message: 'There is no agent "cloud".',
      next: "Did you mean claude-code?",
    });
    expect(await errorOf("x ".repeat(5_000))).toMatchObject({ code: "SEAM_SEARCH_QUERY" });
    expect(await errorOf("x", "--in", "files")).toMatchObject({ code: "SEAM_USAGE" });
  });

  inFull("finds what is only in checkpoints, also by commit, until it is forgotten", async () => {
    const machine = newMachine();
    const { repo } = unpackOldStore(machine);
    // As seam enable notes it today.
    const known = { repository: join(repo.root, ".git"), workTree: repo.root };
    mkdirSync(join(machine.store, "repositories"), { recursive: true });
    writeFileSync(join(machine.store, "repositories/x.json"), JSON.stringify(known));
    // What agents clean up after a while.
    rmSync(join(machine.home, ".claude"), { recursive: true, force: true });
    const { hits } = await found(machine, "commit it");
    expect(hits.map(({ session }) => session)).toContain(OLD.first);
    expect(hits[0]?.open).toContain("seam show");
    const commits = (await repo.git("log", "--format=%H")).trim().split("\n");
    const behind = await Promise.all(
      commits.map(
        async (commit) => (await found(machine, "--commit", commit.slice(0, 12))).hits.length,
      ),
    );
    expect(Math.max(...behind)).toBeGreaterThan(0);
    const gone = await machine.seam(repo.root, "forget", OLD.first, "--yes");
    expect(gone).toMatchObject({ code: 0 });
    expect((await found(machine, "--session", OLD.first)).hits).toEqual([]);
    expect(
      (await found(machine, "--rebuild", "Write")).hits.map(({ session }) => session),
    ).not.toContain(OLD.first);
    // What was found stays to be found when its repository is gone, but there is no record to show it.
    const recorded = (await found(machine, "Write")).hits;
    expect(recorded.map(({ open }) => open.includes("seam show"))).toContain(true);
    renameSync(repo.root, `${repo.root}-moved`);
    const left = (await found(machine, "Write")).hits;
    expect(left.map(({ session }) => session)).toEqual(recorded.map(({ session }) => session));
    expect(left.map(({ open }) => open).join()).not.toContain("seam show");
  });

  inFull(
    "loses nothing and finds nothing twice when the daemon is killed while it reads",
    async () => {
      const machine = newMachine();
      const count = 60;
      for (let n = 0; n < count; n++) {
        const rest = Array.from({ length: 399 }, (_, at) => asked(`seal number${n}x${at}`));
        const words = [asked(`walrus ${n}`), ...rest];
        write(machine, `${CLAUDE}/s${n}.jsonl`, words.join(""));
      }
      const index = join(machine.store, "search/index.db");
      for (let kills = 0; kills < 3; kills++) {
        const asking = machine.seam(machine.base, "search", "walrus", "--no-wait");
        await until(() => existsSync(index));
        await new Promise((resolve) => setTimeout(resolve, 60 * (kills + 1)));
        const { daemon } = machine;
        if (daemon !== undefined) process.kill(daemon, "SIGKILL");
        await asking;
      }
      expect((await found(machine, "walrus", "--limit", "200")).hits).toHaveLength(count);
      const { hits } = await found(machine, "number7x398");
      expect(hits).toMatchObject([{ session: "s7" }]);
      expect(hits[0]).not.toHaveProperty("hits");
      const size = await machine.seam(machine.base, "search", "--rebuild", "--json");
      const { entries } = JSON.parse(size.stdout);
      expect(entries).toBe(count * 400);
    },
  );

  inFull(
    "the same daemon goes on, whatever happens to the files of the index that it has open",
    async () => {
      const machine = newMachine();
      for (let n = 0; n < 20; n++)
        write(machine, `${CLAUDE}/s${n}.jsonl`, asked(`walrus ${"word ".repeat(500)} ${n}`));
      const folder = join(machine.store, "search");
      const faults: readonly ((path: string) => void)[] = [
        (path) => truncateSync(path, 0),
        (path) => truncateSync(path, 4096),
        (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length, "x")),
        (path) => rmSync(path),
      ];
      expect((await found(machine, "walrus", "--limit", "50")).hits).toHaveLength(20);
      const { daemon } = machine;
      let said = 0;
      for (const name of readdirSync(folder).filter((name) => name.startsWith("index"))) {
        for (const fault of faults) {
          fault(join(folder, name));
          // What is new makes the daemon write to it, too.
          write(machine, `${CLAUDE}/new${++said}.jsonl`, asked("narwhal"));
          await found(machine, "narwhal");
          expect((await found(machine, "narwhal", "--limit", "50")).hits).toHaveLength(said);
          expect((await found(machine, "walrus", "--limit", "50")).hits).toHaveLength(20);
        }
      }
      expect(said).toBeGreaterThanOrEqual(2 * faults.length);
      expect(machine.daemon).toBe(daemon);
    },
  );

  it("says so when the disk is full or may not be written to, and answers again afterwards", async () => {
    const machine = newMachine();
    write(machine, `${CLAUDE}/a.jsonl`, asked("walrus"));
    mkdirSync(machine.store, { recursive: true });
    // Root may write everywhere: a file in place of the folder is as good as a disk that refuses.
    writeFileSync(join(machine.store, "search"), "");
    const { code, stderr } = await machine.seam(machine.base, "search", "walrus");
    expect(code).not.toBe(0);
    expect(stderr).toContain("cannot be used");
    expect(readFileSync(join(machine.store, "search"), "utf8")).toBe("");
    await machine.run(machine.base, "rm", join(machine.store, "search"));
    expect((await found(machine, "walrus")).hits).toHaveLength(1);
  });
});
