import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ObjectBatch, rawPath } from "../../git/index.ts";
import { recordOf } from "../history/test-kit.ts";
import { FakeClaude } from "../test-kit/fake-claude.ts";
import { newFolder } from "../test-kit/project.ts";
import { Workshop } from "../test-kit/workshop.ts";
import { takeSnapshot, turnsRef } from "./take-snapshot.ts";
import { workTreeAt } from "./work-tree.ts";

/** A project with a submodule `sub`. */
async function withSubmodule(): Promise<Workshop> {
  const shop = await Workshop.open();
  const inner = newFolder();
  shop.in(inner, "init", "-q");
  writeFileSync(join(inner, "inner.txt"), "inner\n");
  shop.in(inner, "add", "-A");
  const who = ["-c", "user.name=Test User", "-c", "user.email=test@example.com"];
  shop.in(inner, ...who, "commit", "-qm", "Inner");
  shop.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
  shop.commit("A submodule");
  return shop;
}

const pendingOf = async (shop: Workshop, claude: FakeClaude) => {
  const { states } = await recordOf(shop.root);
  return Object.keys(states.get("claude-code", claude.id)?.pending.files ?? {}).sort();
};

describe("a turn that writes elsewhere too", () => {
  it("in a submodule: the rest of it is recorded", async () => {
    const shop = await withSubmodule();
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Both", async () => {
      await claude.write("sub/new.txt", "x\n");
      await claude.write("ours.txt", "y\n");
    });
    expect(await pendingOf(shop, claude)).toEqual(["ours.txt"]);
    expect(shop.git("show", `${turnsRef(claude.id)}:ours.txt`)).toBe("y");
    expect(shop.git("ls-tree", turnsRef(claude.id), "sub")).toContain("160000 commit");
  });

  it("in a submodule that was never fetched: the rest of it is recorded", async () => {
    const shop = await withSubmodule();
    rmSync(join(shop.root, "sub"), { recursive: true });
    mkdirSync(join(shop.root, "sub"));
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Both", async () => {
      await claude.write("sub/new.txt", "x\n");
      await claude.write("ours.txt", "y\n");
    });
    expect(await pendingOf(shop, claude)).toContain("ours.txt");
    expect(await pendingOf(shop, claude)).not.toContain("sub/new.txt");
    expect(shop.git("show", `${turnsRef(claude.id)}:ours.txt`)).toBe("y");
  });

  it("in a repository inside of this one: it is neither pending nor unreadable", async () => {
    const shop = await Workshop.open();
    mkdirSync(join(shop.root, "nested"));
    shop.in(join(shop.root, "nested"), "init", "-q");
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Both", async () => {
      await claude.write("nested/n.txt", "n\n");
      await claude.write("ours.txt", "y\n");
    });
    expect(await pendingOf(shop, claude)).toEqual(["ours.txt"]);
    expect(shop.git("log", "-1", "--format=%B", turnsRef(claude.id))).not.toContain("left_out");
  });

  it("behind a link: what was written is recorded where it is", async () => {
    const shop = await Workshop.open();
    shop.write("real/file.txt", "a\n");
    shop.write("real/other.txt", "a\n");
    symlinkSync("real", join(shop.root, "folder"));
    symlinkSync("real/other.txt", join(shop.root, "link.txt"));
    symlinkSync(newFolder(), join(shop.root, "away"));
    shop.commit("Links");
    const claude = await new FakeClaude(shop).start();
    await claude.turn("Through links", async () => {
      await claude.write("folder/file.txt", "by the agent\n");
      await claude.write("folder/deep/new.txt", "by the agent\n");
      await claude.write("link.txt", "by the agent\n");
      await claude.write("away/gone.txt", "not ours\n");
    });
    expect(await pendingOf(shop, claude)).toEqual([
      "real/deep/new.txt",
      "real/file.txt",
      "real/other.txt",
    ]);
    expect(shop.git("ls-tree", turnsRef(claude.id), "folder", "link.txt")).toContain("120000");
  });
});

describe("a snapshot from paths", () => {
  it("leaves out those that are elsewhere, and only them", async () => {
    const shop = await withSubmodule();
    symlinkSync("sub", join(shop.root, "link"));
    shop.write("sub/new.txt", "x\n");
    shop.write("ours.txt", "y\n");
    const record = await recordOf(shop.root);
    const tree = shop.git("rev-parse", "HEAD^{tree}");
    const paths = ["sub/new.txt", "link/new.txt", "ours.txt"].map((path) => rawPath(path));
    const batch = new ObjectBatch(record.store);
    const now = await workTreeAt(record, batch, { tree, leftOut: [] }, paths);
    expect(now.leftOut).toEqual([
      { path: "sub/new.txt", why: "elsewhere" },
      { path: "link/new.txt", why: "elsewhere" },
    ]);
    expect(now.tree).not.toBe(tree);
  });

  it("is one from a look at everything where git refuses to say what is ignored", async () => {
    const shop = await withSubmodule();
    rmSync(join(shop.root, "sub"), { recursive: true });
    const record = await recordOf(shop.root);
    const about = { session_id: "s", agent: "claude-code", turn_id: "1" } as const;
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    await takeSnapshot(record, { ...about, moment: "start", at: at(0) });
    shop.write("sub/new.txt", "x\n");
    shop.write("ours.txt", "y\n");
    const paths = ["sub/new.txt", "ours.txt"].map((path) => rawPath(path));
    const end = await takeSnapshot(record, { ...about, moment: "end", at: at(1), paths });
    expect(end.record.by).toBe("scan");
    expect(shop.git("show", `${end.commit}:ours.txt`)).toBe("y");
  });
});
