import {
  chmodSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitProcesses, openRepo } from "../git/index.ts";
import { enableRecord } from "./seam-dir.ts";
import { takeSnapshot, turnsRef } from "./snapshot/take-snapshot.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const filesAt = (shop: Workshop, rev: string) =>
  shop.git("-c", "core.quotePath=true", "ls-tree", "-r", "--name-only", rev).split("\n");

describe("the snapshots of a turn", () => {
  it("hold the work tree as it is, and leave index, HEAD, stash and files alone", async () => {
    const shop = await Workshop.open();
    shop.write(".gitignore", "*.log\n");
    shop.write("staged.ts", "export const staged = 0;\n");
    shop.commit("Start");
    shop.write("staged.ts", "export const staged = 1;\n");
    shop.git("add", "staged.ts");
    shop.write("staged.ts", "export const staged = 2;\n");
    shop.write("new file.ts", "export const fresh = 1;\n");
    shop.write("noise.log", "noise\n");
    shop.write(".env", "TOKEN=very-secret-value\n");
    const index = join(shop.root, ".git/index");
    const head = readFileSync(join(shop.root, ".git/HEAD"), "utf8");
    const bytes = [readFileSync(index), statSync(index).mtimeMs];
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    expect([readFileSync(index), statSync(index).mtimeMs]).toEqual(bytes);
    expect(readFileSync(join(shop.root, ".git/HEAD"), "utf8")).toBe(head);
    const end = turnsRef(claude.id);
    expect(filesAt(shop, end).sort()).toEqual(
      [".gitignore", "README.md", "a.ts", "new file.ts", "staged.ts"].sort(),
    );
    expect(filesAt(shop, `${end}^`)).not.toContain("a.ts");
    expect(shop.git("show", `${end}:staged.ts`)).toBe("export const staged = 2;");
    expect(shop.git("log", "-1", "--format=%B", `${end}^`)).toContain('"path": ".env"');
    expect(shop.git("cat-file", "--batch", "--batch-all-objects")).not.toContain(
      "very-secret-value",
    );
    expect(shop.isSound()).toBe(true);
  });

  it("look at named files alone unless a command ran", async () => {
    const shop = await Workshop.open();
    // Where packs were just written, git is started anew once they have settled.
    utimesSync(join(shop.root, ".git/objects/pack"), 1, 1);
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Write");
    await claude.write("a.ts", "export const a = 1;\n");
    const processes = gitProcesses();
    await claude.stop();
    // One for the rules about what is ignored: the file is new.
    expect(gitProcesses() - processes).toBeLessThanOrEqual(1);
    const ref = turnsRef(claude.id);
    expect(shop.git("log", "-1", "--format=%B", ref)).toContain('"by": "paths"');
    await claude.turn("Run", () => claude.bash("echo 'a line' > b.txt"));
    expect(shop.git("log", "-1", "--format=%B", ref)).toContain('"by": "scan"');
    expect(filesAt(shop, ref)).toContain("b.txt");
  });

  it("say so where the agent went on before the turn's start was recorded", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop, { process: false }).start();
    const said = () => shop.git("log", "-1", "--format=%B", turnsRef(claude.id));
    await claude.prompt("First");
    expect(said()).not.toContain('"late"');
    await claude.stop();
    const { seq = 0 } = shop.journal.at(-1) ?? {};
    shop.recorder.overtaken(`claude-${seq + 1}`);
    await claude.prompt("Second");
    expect(said()).toContain('"late": true');
    await claude.stop();
    await claude.prompt("Third");
    expect(said()).not.toContain('"late"');
  });

  it("take any file name there is", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    const names = ["with space", 'quo"te', "new\nline", "tab\there", "ümlaut", "-dash"];
    await claude.turn("Names", () =>
      claude.tool("Bash", { command: "…" }, () => {
        for (const name of names) shop.write(name, `content of ${name}\n`);
        const bytes = Buffer.concat([Buffer.from(`${shop.root}/caf`), Buffer.from([0xe9])]);
        writeFileSync(bytes, "not in UTF-8\n");
      }),
    );
    const { metadata } = await shop.checkpoint(await shop.commitAll("Names"));
    expect(metadata.files_touched).toHaveLength(names.length + 1);
    expect(await shop.record().then(({ states }) => states.live())).toEqual([]);
  });

  it("leave out a huge file and say so", async () => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Big", () =>
      claude.tool("Bash", { command: "…" }, () => {
        truncateSync(shop.write("huge.bin", ""), 2 * 1024 ** 3);
      }),
    );
    const ref = turnsRef(claude.id);
    expect(shop.git("log", "-1", "--format=%B", ref)).toContain("huge.bin");
    expect(filesAt(shop, ref)).not.toContain("huge.bin");
  });

  it("of two processes at once are all kept", async () => {
    const shop = await Workshop.open();
    const [one, two] = [await shop.record(), await shop.record()];
    const about = { session_id: "s", agent: "pi", moment: "end" } as const;
    const take = (record: typeof one, n: number) =>
      takeSnapshot(record, { ...about, turn_id: `${n}`, at: new Date(n).toISOString() });
    await Promise.all([1, 2, 3, 4].flatMap((n) => [take(one, n), take(two, n + 4)]));
    expect(shop.git("rev-list", "--count", turnsRef("s"))).toBe("8");
  });
});

describe("a repository", () => {
  it("without a commit is recorded", async () => {
    const shop = await Workshop.open({ empty: true });
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    expect((await shop.checkpoint(await shop.commitAll("A"))).metadata.files_touched).toEqual([
      "a.ts",
    ]);
  });

  it("with a detached HEAD is recorded, without a branch", async () => {
    const shop = await Workshop.open();
    await shop.run("checkout", "-q", "--detach");
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
    const { metadata } = await shop.checkpoint(await shop.commitAll("A"));
    expect(metadata).not.toHaveProperty("branch");
  });

  it("that is bare is left alone", async () => {
    const shop = await Workshop.open();
    const bare = `${shop.home}/bare.git`;
    await shop.runIn(shop.home, "git", "clone", "-q", "--bare", shop.root, bare);
    const repo = await openRepo(bare);
    if (!repo) throw new Error("no repository");
    enableRecord(repo);
    const claude = await new FakeClaude(shop, { cwd: bare }).start();
    await claude.turn("Nothing", () => {});
    expect(shop.in(bare, "for-each-ref", "refs/seam")).toBe("");
    expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)(
    "that cannot be written to is said, and git goes on",
    async () => {
      const shop = await Workshop.open();
      const claude = await new FakeClaude(shop).start();
      chmodSync(join(shop.root, ".git/seam"), 0o500);
      chmodSync(join(shop.root, ".git/seam/sessions"), 0o500);
      await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
      expect(shop.said.join("\n")).toContain("could not be recorded");
      chmodSync(join(shop.root, ".git/seam"), 0o700);
      chmodSync(join(shop.root, ".git/seam/sessions"), 0o700);
      await shop.commitAll("A");
      expect(shop.git("log", "-1", "--format=%s")).toBe("A");
    },
  );

  it("with a submodule keeps it as one entry", async () => {
    const shop = await Workshop.open();
    const inner = await Workshop.open();
    const allow = ["-c", "protocol.file.allow=always"];
    await shop.run(...allow, "submodule", "--quiet", "add", inner.root, "sub");
    await shop.commitAll("Submodule");
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Write", () =>
      claude.bash("echo 'a line' > a.txt; echo 'x' > sub/inner.txt"),
    );
    expect(shop.git("ls-tree", turnsRef(claude.id), "sub")).toMatch(/^160000 commit/);
    const { metadata } = await shop.checkpoint(await shop.commitAll("A"));
    expect(metadata.files_touched).toEqual(["a.txt"]);
  });

  it("in the middle of a rebase is recorded, and the rebase can go on", async () => {
    const shop = await Workshop.open();
    shop.write("a.ts", "export const a = 1;\n");
    shop.commit("One");
    await shop.run("checkout", "-q", "-b", "side", "HEAD~1");
    shop.write("a.ts", "export const a = 2;\n");
    shop.commit("Two");
    await shop.run("rebase", "-q", "main").catch(() => {});
    const claude = await new FakeClaude(shop).start();
    await claude.prompt("Solve it");
    await claude.write("a.ts", "export const a = 3;\n");
    await claude.bash("git add a.ts && GIT_EDITOR=true git rebase --continue");
    await claude.stop();
    expect(shop.git("status", "--porcelain")).toBe("");
    expect(shop.git("log", "-1", "--format=%s")).toBe("Two");
    expect(shop.isSound()).toBe(true);
  });
});
