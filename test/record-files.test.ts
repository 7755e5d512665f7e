import { execFileSync } from "node:child_process";
import {
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";
import { inFull } from "./setup/sample.ts";

const machine = new Machine();
afterAll(() => machine.remove());

const NAMES: readonly (string | Buffer)[] = [
  "with space",
  " leading and trailing ",
  'it\'s "quoted"',
  "new\nline",
  "tab\there",
  "back\\slash",
  "-rf",
  "--amend",
  "*",
  "$(touch pwned)",
  ":(top)",
  "😀",
  "e\u0301",
  "\u00e9",
  "x".repeat(255),
  Buffer.from([0x66, 0xff, 0xfe]),
  Buffer.from([0xc3, 0x28]),
];

inFull("names of all kinds are recorded as git has them", async () => {
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  await agent.turn("Write them", () =>
    agent.tool("Bash", { command: "write them" }, async () => {
      for (const name of NAMES) repo.write(name, `of ${name.toString("hex")}\n`);
    }),
  );
  await agent.turn("Name some", async () => {
    // These go through the agent's own words as well.
    for (const name of ["named space", "named\nline", 'named "quote"', "-named", "named😀"]) {
      await agent.write(name, "named\n");
    }
  });
  await repo.commit("Names");
  const id = await repo.checkpointAt();
  const { files_touched } = (await repo.session(id)) as { files_touched: string[] };
  expect(files_touched).toHaveLength(NAMES.length + 5);
  expect(new Set(files_touched).size).toBe(NAMES.length + 5);
  expect(readdirSync(repo.root)).not.toContain("pwned");
  // The snapshot has the same files, byte for byte.
  const listed = (rev: string) => repo.git("ls-tree", "-r", "-z", rev);
  expect(await listed(`refs/seam/turns/${agent.id}`)).toBe(await listed("HEAD"));
  expect((await repo.show(id)).code).toBe(0);
  expect((await repo.status()).record.problems).toEqual([]);
  expect(await repo.unsound()).toBe("");
});

it("what is no file is not waited for: pipes, sockets, links in a circle", async () => {
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  repo.write("tracked.txt", "tracked\n");
  await repo.commit("Tracked");
  const server = createServer().listen(join(repo.root, "socket"));
  onTestFinished(() => void server.close());
  await agent.turn("Make them", async () => {
    await agent.write("a.ts", "export const a = 1;\n");
    await agent.write("becomes-a-pipe", "first\nsecond line\n");
    await agent.tool("Bash", { command: "make them" }, () => {
      execFileSync("mkfifo", [join(repo.root, "pipe")]);
      rmSync(join(repo.root, "tracked.txt"));
      execFileSync("mkfifo", [join(repo.root, "tracked.txt")]);
      symlinkSync("loop", join(repo.root, "loop"));
      symlinkSync("..", join(repo.root, "up"));
    });
  });
  await repo.git("add", "a.ts", "loop", "up", "becomes-a-pipe");
  await machine.recorded();
  rmSync(join(repo.root, "becomes-a-pipe"));
  execFileSync("mkfifo", [join(repo.root, "becomes-a-pipe")]);
  await repo.git("commit", "-q", "-m", "Without them");
  const id = await repo.checkpointAt();
  expect(await repo.session(id)).toMatchObject({
    files_touched: ["a.ts", "becomes-a-pipe", "loop", "up"],
  });
  await agent.turn("Go on", () => agent.write("b.ts", "export const b = 2;\n"));
  await repo.git("add", "b.ts");
  await repo.git("commit", "-q", "-m", "More");
  expect(await repo.session(await repo.checkpointAt())).toMatchObject({ files_touched: ["b.ts"] });
  expect(await repo.unsound()).toBe("");
});

inFull("a file of 2 GB is neither read nor stored, and that is said", async () => {
  const repo = await Checkout.create(machine);
  const agent = await new Agent(repo).start();
  repo.write("tracked.bin", "small\n");
  await repo.commit("Small");
  await machine.recorded();
  const before = readBytes();
  await agent.turn("Let them grow", async () => {
    await agent.write("a.ts", "export const a = 1;\n");
    await agent.tool("Bash", { command: "truncate" }, () => {
      writeFileSync(join(repo.root, "new.bin"), "");
      for (const name of ["new.bin", "tracked.bin"]) truncateSync(join(repo.root, name), 2 ** 31);
    });
    await agent.tool("Write", { file_path: join(repo.root, "new.bin") }, () => {});
  });
  await repo.git("add", "a.ts");
  await repo.git("commit", "-q", "-m", "Without them");
  const first = await repo.checkpointAt();
  expect(await repo.session(first)).toMatchObject({ files_touched: ["a.ts"] });
  // One that is in a commit all the same: git reads it, Seam does not.
  await agent.turn("A smaller one", async () => {
    await agent.tool("Write", { file_path: join(repo.root, "half.bin") }, () => {
      writeFileSync(join(repo.root, "half.bin"), "");
      truncateSync(join(repo.root, "half.bin"), 120 * 2 ** 20);
    });
    await agent.bash("git add half.bin && git commit -q -m 'With it'");
  });
  const second = await repo.checkpointAt();
  expect(await repo.session(second)).toMatchObject({ files_touched: ["half.bin"] });
  await machine.recorded();
  expect(readBytes() - before).toBeLessThan(64 * 2 ** 20);
  expect(peakBytes()).toBeLessThan(400 * 2 ** 20);
  const said = (await repo.status()).record.problems.map(({ text }) => text).join("\n");
  for (const name of ["new.bin", "tracked.bin"]) expect(said).toContain(name);
  expect(await repo.unsound()).toBe("");
});

/** What the daemon has read so far, from wherever. */
function readBytes(): number {
  const text = readFileSync(`/proc/${machine.daemon}/io`, "utf8");
  return Number(/rchar: (\d+)/.exec(text)?.[1]);
}

function peakBytes(): number {
  const text = readFileSync(`/proc/${machine.daemon}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) * 1024;
}
