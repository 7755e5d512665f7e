import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FakeClaude } from "../src/record/test-kit/fake-claude.ts";
import { Workshop } from "../src/record/test-kit/workshop.ts";
import { inFull } from "./setup/sample.ts";

const MAIN = join(import.meta.dirname, "../dist/bin/seam.js");

/** What the built command prints in a repository of the tests. */
function seam({ root, env }: Workshop, ...args: string[]): Promise<string> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [MAIN, ...args], { cwd: root, env }, (_, stdout) =>
      done(stdout),
    );
    child.stdin?.end();
  });
}

const commit = (name: string) => `git add -A && git commit -q -m ${name}`;

describe("several commits in one turn", () => {
  it("have checkpoints with the prompt, and each with its own part of the story", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write two files, with a commit each");
    await claude.write("a.ts", "1\n");
    await claude.bash(commit("c1"));
    await claude.write("b.ts", "2\n");
    await claude.bash(commit("c2"));
    await claude.stop();
    const [first, second] = [await seam(shop, "show", "HEAD~1"), await seam(shop, "show", "HEAD")];
    for (const shown of [first, second])
      expect(shown).toContain("Write two files, with a commit each");
    expect(first).toContain("• write a.ts");
    expect(first).toContain("-m c1");
    for (const words of ["b.ts", "-m c2", "Done."]) expect(first).not.toContain(words);
    for (const words of ["• write b.ts", "-m c2", "Done."]) expect(second).toContain(words);
    for (const words of ["a.ts", "-m c1"]) expect(second).not.toContain(words);
  });
});

describe("work in another work tree", () => {
  inFull(
    "is told with files named from there, and marked in the log when its commit is lost",
    async () => {
      const shop = await Workshop.open();
      const cwd = join(shop.home, "side");
      shop.git("worktree", "add", "-q", "-b", "side", cwd);
      const claude = await new FakeClaude(shop, { cwd }).start();
      await claude.turn("Write there", async () => {
        await claude.write("there.ts", "1\n");
        await claude.bash(commit("There"));
      });
      const log = await seam(shop, "log");
      expect(log).not.toContain("on no branch");
      for (const kind of ["turn", "checkpoint"]) {
        const [, id = ""] = new RegExp(`${kind} (\\w{12})`).exec(log) ?? [];
        expect(await seam(shop, "show", id)).toContain("• write there.ts\n");
      }
      await shop.runIn(cwd, "git", "reset", "-q", "--hard", "HEAD~1");
      expect(await seam(shop, "log")).toContain("on side · commit now on no branch · 1 file");
      const [, id = ""] = /checkpoint (\w{12})/.exec(log) ?? [];
      expect(await seam(shop, "show", id)).toContain("It is on no branch any more.");
    },
  );
});

describe("a session that was forked", () => {
  inFull("is called a fork, in the log and where it is shown", async () => {
    const shop = await Workshop.open();
    const first = await new FakeClaude(shop).start();
    await first.turn("Write the first", () => first.write("a.ts", "1\n"));
    const fork = new FakeClaude(shop);
    const carried = readFileSync(first.transcript, "utf8").replaceAll("2026-05-25", "2026-05-24");
    writeFileSync(fork.transcript, carried);
    await fork.start("fork");
    await fork.turn("Write the second", () => fork.write("b.ts", "2\n"));
    await shop.commitAll("Both");
    const log = await seam(shop, "log");
    expect(log.match(/fork of/g)).toHaveLength(2);
    for (const what of ["HEAD", fork.id]) {
      expect(await seam(shop, "show", what)).toContain(`fork of ${first.id}`);
    }
    expect(await seam(shop, "show", first.id)).not.toContain("fork of");
  });
});

describe("seam show <commit>", () => {
  it("has what subagents did below the call that started them", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Have it written");
    const asked = { prompt: "Write a.ts", description: "writes", subagent_type: "helper" };
    await claude.tool("Task", asked, () =>
      claude.inChild("c1", async () => {
        await claude.write("a.ts", "1\n");
        claude.say([{ type: "text", text: "It is written." }]);
      }),
    );
    await claude.write("b.ts", "2\n");
    await claude.stop();
    await shop.commitAll("Both");
    const lines = (await seam(shop, "show")).split("\n").map((line) => line.trimEnd());
    const at = lines.findIndex((line) => line.includes("• subagent"));
    expect(lines.slice(at + 1, at + 4)).toEqual([
      "      • write a.ts",
      "        It is written.",
      "    • write b.ts",
    ]);
  });

  it("names the files that no turn of an agent changed, where there are some", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write a", () => claude.write("a.ts", "1\n"));
    shop.write("mine.ts", "2\n");
    await shop.commitAll("Both");
    const shown = await seam(shop, "show");
    expect(shown).toMatch(/^Files that no turn of an agent changed\n {2}mine\.ts\n/m);
    expect(JSON.parse(await seam(shop, "show", "--json"))).toMatchObject({
      files_of_no_agent: ["mine.ts"],
    });
    await claude.turn("Write b", () => claude.write("b.ts", "1\n"));
    await shop.commitAll("Its own");
    expect(await seam(shop, "show")).not.toContain("no turn of an agent");
  });
});

describe("a commit that was picked onto another branch", () => {
  inFull("names the commit that its checkpoint is of, and that one's branch", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write a", () => claude.write("a.ts", "1\n"));
    const base = await claude.run("git rev-parse HEAD");
    await shop.commitAll("A");
    const first = (await claude.run("git rev-parse HEAD")).trim();
    expect(await seam(shop, "show")).toMatch(/^commit {5}[0-9a-f]{12} {2}on main$/m);
    await claude.run(`git switch -q -c other ${base.trim()} && git commit -q --allow-empty -m B`);
    await claude.run("git cherry-pick main");
    const words = `made from ${first.slice(0, 12)}  on main`;
    expect(await seam(shop, "show")).toMatch(
      new RegExp(`^commit {5}[0-9a-f]{12} {2}${words}$`, "m"),
    );
  });
});

describe("seam show <session>", () => {
  it("has the files that a commit in the middle of the turn did not take up", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write two and commit one", async () => {
      await claude.write("a.ts", "1\n");
      await claude.bash("git add a.ts && git commit -q -m A");
      await claude.write("b.ts", "2\n");
    });
    expect(await seam(shop, "show", claude.id)).toMatch(/Files not committed\n {4}b\.ts\n/);
  });

  inFull("shows the parts of that session alone, with the time of its work", async () => {
    const shop = await Workshop.open();
    const [one, two] = [await new FakeClaude(shop).start(), await new FakeClaude(shop).start()];
    await one.turn("Write the first", () => one.write("a.ts", "1\n"));
    await two.turn("Write the second", () => two.write("b.ts", "2\n"));
    await shop.commitAll("Both");
    const shown = await seam(shop, "show", one.id);
    expect(shown).toContain("Write the first");
    expect(shown).not.toContain("Write the second");
    expect(shown).not.toContain(two.id);
    expect(shown).toMatch(/Claude Code {2}claude-test-1 {2}2026-05-2\d \d\d:00/);
    expect(await seam(shop, "show", one.id, "--transcript")).not.toContain("Write the second");
    expect(await seam(shop, "show", "HEAD")).toContain("Write the second");
  });

  inFull("says of a turn under way what was done so far", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write it");
    expect(await seam(shop, "show", claude.id)).not.toContain("model calls");
    await claude.write("a.ts", "1\n");
    const shown = await seam(shop, "show", claude.id);
    for (const words of ["active", "under way", "• write a.ts", "1 model call"]) {
      expect(shown).toContain(words);
    }
    expect(shown).toMatch(/Files that changed\n {4}a\.ts\n/);
    expect(shown).toMatch(/Files not committed\n {4}a\.ts\n/);
    await claude.stop();
    await claude.hook("SessionEnd", { reason: "exit" });
    expect(await seam(shop, "show", claude.id)).toMatch(/\d\d:\d\d {2}ended\n/);
  });
});

it("a long subject takes one line", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write it", () => claude.write("a.ts", "1\n"));
  await shop.commitAll(`A subject ${"that is long ".repeat(10)}`);
  const line = (await seam(shop, "show")).split("\n").find((one) => one.includes("A subject"));
  expect(line).toHaveLength(80);
});
