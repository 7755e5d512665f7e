import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";
import { inFull, isSampled, sampled } from "./setup/sample.ts";

const machine = new Machine();
afterAll(() => machine.remove());

const REF = "refs/seam/checkpoints/v1";

/** A repository with a session and a checkpoint. */
async function used() {
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  await agent.turn("First", () => agent.write("a.ts", "export const a = 1;\n"));
  await repo.commit("First");
  const first = await repo.checkpointAt();
  return { repo, agent, first };
}

let files = 0;

/** The next turn and commit are recorded as if nothing had happened. */
async function goesOn(repo: Checkout, agent: Agent): Promise<string> {
  const name = `next${++files}.ts`;
  await agent.turn(`Write ${name}`, () => agent.write(name, `export const x = ${files};\n`));
  await repo.commit(name);
  const id = await repo.checkpointAt();
  expect(await repo.session(id)).toMatchObject({ session_id: agent.id, files_touched: [name] });
  return id;
}

const problemsOf = async (repo: Checkout) =>
  (await repo.status()).record.problems.map(({ text }) => text).join("\n");

/** Every file below a folder. */
function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("state files in the repository", () => {
  const DAMAGES: Record<string, (path: string) => void> = {
    deleted: (path) => rmSync(path),
    emptied: (path) => truncateSync(path, 0),
    "cut off": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    "full of garbage": (path) => writeFileSync(path, Buffer.from([0, 255, 10, 123, 34, 0, 200])),
    "of another shape": (path) => writeFileSync(path, '{"version":1,"pending":[]}\n'),
  };

  it.each(sampled(Object.entries(DAMAGES), "of another shape"))(
    "%s between any two events: the commit is recorded",
    async (name, damage) => {
      const { repo, agent, first } = await used();
      const dir = join(repo.root, ".git/seam");
      let moment = Object.keys(DAMAGES).indexOf(name);
      const ruin = async () => {
        await machine.recorded();
        if (!isSampled(moment++, 2)) return;
        for (const path of filesIn(dir).filter((one) => !/enabled$|\/hooks\//.test(one)))
          damage(path);
        // What is in memory would hide it.
        await machine.kill();
      };
      await ruin();
      await agent.prompt("Second");
      await ruin();
      await agent.write("b.ts", "export const b = 2;\n");
      await ruin();
      await agent.bash("git add -A && git commit -q -m Second");
      await ruin();
      await agent.stop();
      await machine.recorded();
      const id = await goesOn(repo, agent);
      for (const one of [first, id]) expect((await repo.show(one)).code, one).toBe(0);
      expect(await repo.unsound()).toBe("");
    },
  );

  it("a commit whose session was forgotten while it was made still has its checkpoint", async () => {
    const { repo, agent } = await used();
    await agent.prompt("Second");
    await agent.write("b.ts", "export const b = 2;\n");
    await machine.recorded();
    // A hook that runs between the message and the commit.
    const ruin = `rm -rf '${join(repo.root, ".git/seam/sessions")}'`;
    writeFileSync(join(repo.root, ".git/hooks/commit-msg.pre-seam"), `#!/bin/sh\n${ruin}\n`, {
      mode: 0o755,
    });
    await agent.bash("git add -A && git commit -q -m Second");
    const id = await repo.checkpointAt();
    expect(await repo.session(id)).toMatchObject({ session_id: agent.id });
    expect(await repo.unsound()).toBe("");
  });

  inFull(
    "without its folder nothing is recorded, which is said, and commits are made",
    async () => {
      const { repo, agent, first } = await used();
      const dir = join(repo.root, ".git/seam");
      for (const makeFile of [false, true]) {
        rmSync(dir, { recursive: true });
        if (makeFile) writeFileSync(dir, "not a folder\n");
        await agent.turn("Second", () => agent.write("b.ts", `export const b = ${makeFile};\n`));
        await repo.commit("Second");
        const { stdout } = await machine.seam(repo.root, "status");
        expect(stdout).toMatch(/Record {2}off.*seam enable/);
        if (makeFile) rmSync(dir);
        await repo.enable();
        const id = await goesOn(repo, agent);
        for (const one of [first, id]) expect((await repo.show(one)).code, one).toBe(0);
      }
      expect(await repo.unsound()).toBe("");
    },
  );

  it("a file in the place of its folder is said when Seam is to be enabled", async () => {
    const repo = new Checkout(machine, join(machine.base, "occupied"));
    mkdirSync(repo.root);
    await repo.git("init", "-q");
    writeFileSync(join(repo.root, ".git/seam"), "");
    const { code, stderr } = await machine.seam(repo.root, "enable", "--agent", "claude-code");
    expect(code).toBe(1);
    expect(stderr).toContain(".git/seam");
  });
});

describe("git hooks", () => {
  const LOSSES: Record<string, (hooks: string) => void> = {
    "one that was removed": (hooks) => rmSync(join(hooks, "post-commit")),
    "one that another tool wrote over": (hooks) =>
      writeFileSync(join(hooks, "post-commit"), "#!/bin/sh\nexit 0\n", { mode: 0o755 }),
    "the whole folder": (hooks) => rmSync(hooks, { recursive: true }),
  };

  it.each(sampled(Object.entries(LOSSES), "the whole folder"))(
    "%s: back with the next prompt, and said",
    async (_, lose) => {
      const { repo, agent } = await used();
      expect(await problemsOf(repo)).toBe("");
      lose(join(repo.root, ".git/hooks"));
      await goesOn(repo, agent);
      expect(await problemsOf(repo)).toMatch(
        /took Seam's git hooks away \(.*post-commit.*are back/,
      );
    },
  );
});

describe("the daemon's own files", () => {
  inFull("deleted one after the other: the next hooks are recorded", async () => {
    const { repo, agent, first } = await used();
    const ids = [first];
    const client = readFileSync(join(machine.store, "bin/hook"));
    const own = ["journal", "cursor", "spool", "token", "curl", "", ".."];
    for (const name of sampled(own, "journal", "..")) {
      await machine.recorded();
      await machine.kill();
      rmSync(join(machine.store, "run", name), { recursive: true });
      if (name === "..") {
        await repo.enable();
        expect(readFileSync(join(machine.store, "bin/hook"))).toEqual(client);
      }
      ids.push(await goesOn(repo, agent));
    }
    expect((await repo.checkpoints()).sort()).toEqual(ids.sort());
    expect((await repo.show(first)).code).toBe(0);
  });

  it("full of garbage: the next hooks are recorded", async () => {
    const { repo, agent, first } = await used();
    const ids = [first];
    for (const name of sampled(["journal", "cursor", "token", "port", "pid"], "cursor")) {
      await machine.recorded();
      await machine.kill();
      const path = join(machine.store, "run", name);
      for (const one of name === "journal" ? filesIn(path) : [path]) {
        writeFileSync(one, Buffer.from([123, 34, 0, 255, 10, 57, 57, 57, 10]));
      }
      ids.push(await goesOn(repo, agent));
    }
    expect((await repo.checkpoints()).sort()).toEqual(ids.sort());
  });
});

describe("references", () => {
  const BAD: Record<string, (repo: Checkout) => Promise<void>> = {
    "a blob": async (repo) => {
      await repo.git("update-ref", REF, await repo.git("rev-parse", "HEAD:a.ts"));
    },
    "a tree": async (repo) => {
      await repo.git("update-ref", REF, await repo.git("rev-parse", "HEAD^{tree}"));
    },
    "a foreign commit": async (repo) => {
      await repo.git("update-ref", REF, "HEAD");
    },
    "an object that is missing": async (repo) => {
      writeFileSync(join(repo.root, ".git", REF), `${"1234567890".repeat(4)}\n`);
    },
    nothing: async (repo) => writeFileSync(join(repo.root, ".git", REF), ""),
    garbage: async (repo) => writeFileSync(join(repo.root, ".git", REF), "\0\0garbage\n"),
    "another reference": async (repo) => {
      await repo.git("symbolic-ref", REF, "refs/heads/main");
    },
    "a reference that is not there": async (repo) => {
      await repo.git("symbolic-ref", REF, "refs/heads/nowhere");
    },
    itself: async (repo) => writeFileSync(join(repo.root, ".git", REF), `ref: ${REF}\n`),
  };
  const bad = sampled(
    Object.entries(BAD),
    "a foreign commit",
    "an object that is missing",
    "itself",
  );

  it("checkpoints leading elsewhere: said, put aside, and nothing is lost", async () => {
    const { repo, agent, first } = await used();
    const ids = [first];
    for (const [name, damage] of bad) {
      await machine.recorded();
      const main = await repo.git("rev-parse", "main");
      await damage(repo);
      ids.push(await goesOn(repo, agent));
      expect((await repo.checkpoints()).sort(), name).toEqual([...ids].sort());
      // Nobody else's branch is touched.
      expect(await repo.git("rev-parse", "main~1"), name).toBe(main);
      expect((await repo.tries("rev-parse", "-q", "--verify", "nowhere")).code, name).toBe(1);
      expect(await repo.unsound(), name).toBe("");
    }
    const said = (await problemsOf(repo)).split("\n").filter((text) => text.startsWith(REF));
    expect(said).toHaveLength(bad.length);
    for (const one of [first, ids.at(-1) ?? ""]) expect((await repo.show(one)).code).toBe(0);
  });

  inFull("turns leading elsewhere: the next ones are there again", async () => {
    const { repo, agent, first } = await used();
    const ref = `refs/seam/turns/${agent.id}`;
    const path = join(repo.root, ".git", ref);
    for (const [name, damage] of bad) {
      await machine.recorded();
      const tip = await repo.git("rev-parse", REF);
      await damage(repo);
      renameSync(join(repo.root, ".git", REF), path);
      await repo.git("update-ref", REF, tip);
      if (readFileSync(path, "utf8").includes(REF)) writeFileSync(path, `ref: ${ref}\n`);
      await goesOn(repo, agent);
      expect(await repo.git("log", "-1", "--format=%s", ref), name).toContain("end of turn");
      expect(await repo.git("log", "--format=%s", "main"), name).not.toContain("of turn");
      expect((await repo.tries("rev-parse", "-q", "--verify", "nowhere")).code, name).toBe(1);
      expect(await repo.unsound(), name).toBe("");
    }
    expect((await repo.show(first)).code).toBe(0);
  });
});

describe("transcripts", () => {
  it("one that was rewritten, shorter or with the same size, is stored as it is now", async () => {
    const { repo, agent, first } = await used();
    const before = await repo.file(first, "0/full.jsonl");
    const text = readFileSync(agent.transcript, "utf8");
    writeFileSync(agent.transcript, text.replaceAll("First", "Other"));
    const second = await goesOn(repo, agent);
    expect(await repo.file(second, "0/full.jsonl")).toContain("Other");
    expect(await repo.file(second, "0/full.jsonl")).not.toContain("First");
    const [line = ""] = text.split("\n");
    writeFileSync(agent.transcript, `${line}\n`);
    const third = await goesOn(repo, agent);
    const stored = await repo.file(third, "0/full.jsonl");
    expect(`${stored}\n`).toBe(readFileSync(agent.transcript, "utf8"));
    expect(await repo.file(first, "0/full.jsonl")).toBe(before);
    expect(await repo.unsound()).toBe("");
  });

  const LOST: readonly [string, (path: string) => void][] = [
    ["deleted", () => {}],
    ["a folder", (path) => mkdirSync(path)],
    ["a pipe that nobody writes to", (path) => execFileSync("mkfifo", [path])],
    ["a link to a device that never ends", (path) => symlinkSync("/dev/zero", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
  ];
  it.each(sampled(LOST, "a pipe that nobody writes to"))(
    "one that became %s is said, and the commit has what was known of it",
    async (_, replace) => {
      const { repo, agent, first } = await used();
      await machine.recorded();
      const before = await repo.file(first, "0/full.jsonl");
      const path = agent.transcript;
      rmSync(path);
      replace(path);
      // What the agent says from now on goes nowhere.
      agent.transcript = join(machine.home, "elsewhere");
      const hook = agent.hook.bind(agent);
      agent.hook = (name, more = {}) => hook(name, { ...more, transcript_path: path });
      const second = await goesOn(repo, agent);
      rmSync(path, { recursive: true, force: true });
      expect(await repo.file(second, "0/full.jsonl")).toBe(before);
      expect(await problemsOf(repo)).toContain(path);
      expect(await repo.unsound()).toBe("");
    },
  );
});
