import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** A repository where an agent's work is staged. */
async function withStaged() {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Write", () => claude.write("a.ts", "export const a = 1;\n"));
  await shop.run("add", "-A");
  return { shop, claude };
}

const message = (shop: Workshop) => shop.git("log", "-1", "--format=%B");

/** The commit at HEAD, byte by byte. */
function rawHead({ root, env }: Workshop): string {
  const { stdout } = spawnSync("git", ["cat-file", "commit", "HEAD"], { cwd: root, env });
  return stdout.toString("latin1");
}

const edited = (shop: Workshop, edit: string, ...args: string[]) =>
  shop.runIn(shop.root, "env", `GIT_EDITOR=${edit}`, "git", ...args);

describe("a message in another encoding", () => {
  it("stays as it is to the byte", async () => {
    const { shop } = await withStaged();
    const said = "caf\xe9 \xa0 na\xefve\n\n\x85\xff\xa0\n";
    const file = shop.write(".git/said", Buffer.from(said, "latin1"));
    shop.git("config", "i18n.commitEncoding", "ISO-8859-1");
    await shop.run("commit", "-q", "-F", file);
    const [id] = shop.idsAt();
    expect(rawHead(shop)).toMatch(/\nencoding ISO-8859-1\n/);
    expect(rawHead(shop).split("\n\n").slice(1).join("\n\n")).toBe(
      `${said}\nSeam-Checkpoint: ${id}\n`,
    );
    expect((await shop.checkpoint(id)).metadata.files_touched).toEqual(["a.ts"]);
  });

  it("is looked at by commit-msg without harm", async () => {
    const { shop } = await withStaged();
    shop.git("config", "i18n.commitEncoding", "ISO-8859-1");
    const file = shop.write(".git/said", Buffer.from("caf\xe9\n", "latin1"));
    await edited(shop, `cp '${file}'`, "commit", "-q");
    expect(rawHead(shop)).toMatch(/\n\ncaf\xe9\n$/);
  });
});

describe("a message that looks like a comment", () => {
  it.each([["#12 fix"], ["#12 fix\n\n# of it all\n#"]])(
    "is one where nobody edits it: %j",
    async (said) => {
      const { shop } = await withStaged();
      await shop.run("commit", "-q", "-m", said);
      const [id] = shop.idsAt();
      expect(message(shop)).toBe(`${said}\n\nSeam-Checkpoint: ${id}`);
      expect(shop.git("log", "-1", "--format=%(trailers:key=Seam-Checkpoint,valueonly)")).toBe(id);
    },
  );

  it.each([
    ["was asked to drop them", ["-m", "#12 fix", "--cleanup=strip"]],
    ["always drops them", ["-m", "#12 fix"]],
    ["opens an editor", ["-e", "-m", "#12 fix"]],
  ])("is none where git %s", async (how, args) => {
    const { shop } = await withStaged();
    if (how === "always drops them") shop.git("config", "commit.cleanup", "strip");
    await expect(shop.run("commit", ...args)).rejects.toThrow(/empty commit message/);
    expect(message(shop)).toBe("Start");
  });
});

describe("a template", () => {
  const TEMPLATE = "Subject:\n\n\n# What to write\nTicket: \n";

  async function withTemplate() {
    const { shop } = await withStaged();
    shop.git("config", "commit.template", shop.write(".git/template", TEMPLATE));
    return shop;
  }

  it.each([
    ["true"],
    [":", "-s"],
    ["sed -i s/Ticket:.*/Ticket:/", "-v"],
    ["true", "--cleanup=scissors"],
  ])("that nobody touched is no message, with %s %s", async (editor, ...args) => {
    const shop = await withTemplate();
    const made = edited(shop, editor, "commit", ...args);
    await expect(made).rejects.toThrow(/did not edit the message/);
    expect(message(shop)).toBe("Start");
  });

  it("that was filled in is one, with its trailer", async () => {
    const shop = await withTemplate();
    await edited(shop, "sed -i s/Subject:/Work/", "commit", "-q");
    expect(message(shop)).toBe(`Work\n\nTicket:\nSeam-Checkpoint: ${shop.idAt()}`);
  });
});

describe("an amended message", () => {
  it.each([
    ["--amen", ["--amen", "-m", "Better"]],
    ["--am behind several lines", ["-m", "Better\n\nfor a reason\n", "--am"]],
  ])("keeps its trailer, with %s", async (_, args) => {
    const { shop } = await withStaged();
    const id = await shop.commitStaged("Work");
    await shop.run("commit", "-q", ...args);
    expect(message(shop)).toContain("Better");
    expect(shop.idsAt()).toEqual([id]);
  });

  it("is not one that only speaks of it", async () => {
    const { shop, claude } = await withStaged();
    const id = await shop.commitStaged("Work");
    await claude.turn("More", () => claude.write("b.ts", "export const b = 1;\n"));
    await shop.run("add", "-A");
    await shop.run("commit", "-q", "-m", "--amend");
    expect(shop.idsAt()).toHaveLength(1);
    expect(shop.idsAt()).not.toContain(id);
  });
});

it("an answer that comes when git went on already changes nothing", async () => {
  const { shop } = await withStaged();
  const path = shop.write(".git/COMMIT_EDITMSG", "Being edited\n");
  // git is there, in its editor; the hook is not any more, or its number is another process's.
  for (const hookPid of [2 ** 22 + 7, process.pid]) {
    const args = [path, "message"];
    const from = { cwd: shop.root, pid: process.pid, hookPid };
    await shop.recorder.git({ hook: "prepare-commit-msg", ...from, args });
  }
  expect(readFileSync(path, "utf8")).toBe("Being edited\n");
  await shop.recorder.git({
    hook: "prepare-commit-msg",
    pid: process.ppid,
    hookPid: process.pid,
    cwd: shop.root,
    args: [path, "message"],
  });
  expect(readFileSync(path, "utf8")).toContain("Seam-Checkpoint: ");
});
