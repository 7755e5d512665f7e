import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idOfCommit } from "./checkpoint/checkpoint-files.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** As Gemini CLI does it for everything that runs in its shell. */
const NO_HOOKS =
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0= git commit -qm Work";

async function atWork() {
  const shop = await Workshop.open();
  const agent = await new FakeClaude(shop).start();
  const head = () => shop.git("rev-parse", "HEAD");
  const recorded = async () => {
    const { sessions } = await shop.checkpoint(idOfCommit(head()));
    return sessions.map(({ metadata }) => metadata);
  };
  return { shop, agent, head, recorded };
}

describe("a commit of an agent that switched git's hooks off [gemini-no-git-hooks]", () => {
  it("is recorded when the turn ends, with all of the turn", async () => {
    const { shop, agent, head, recorded } = await atWork();
    await agent.turn("Write it", async () => {
      await agent.write("a.txt", "from the agent\n");
      await agent.bash(`git add a.txt; ${NO_HOOKS}`);
      await agent.skill("review");
    });
    expect(shop.idsAt()).toEqual([]);
    expect(await recorded()).toEqual([
      expect.objectContaining({
        session_id: agent.id,
        commit_sha: head(),
        files_touched: ["a.txt"],
        finalized_at: expect.any(String),
        skill_events: [expect.objectContaining({ skill: { name: "review" } })],
      }),
    ]);
    expect(shop.isSound()).toBe(true);
  });

  it("is recorded also if a command made its files, and each of several", async () => {
    const { shop, agent, recorded } = await atWork();
    await agent.turn("Write it", async () => {
      await agent.bash(`echo one > one.txt; git add .; ${NO_HOOKS}`);
      await agent.bash(`echo two > two.txt; git add .; ${NO_HOOKS}`);
    });
    expect(await recorded()).toMatchObject([{ files_touched: ["two.txt"] }]);
    const first = await shop.checkpoint(idOfCommit(shop.git("rev-parse", "HEAD~1")));
    expect(first.metadata.files_touched).toEqual(["one.txt"]);
  });

  it("is written once, however often it is looked for", async () => {
    const { shop, agent } = await atWork();
    await agent.turn("Write it", () => agent.bash(`echo one > one.txt; git add .; ${NO_HOOKS}`));
    const written = () => shop.git("rev-list", "--count", "refs/seam/checkpoints/v1");
    const before = written();
    await agent.turn("Nothing more", () => agent.bash("true"));
    expect(written()).toBe(before);
  });
});

describe("not recorded as the agent's", () => {
  it("a person's commit during the turn, which the hooks told of", async () => {
    const { shop, agent } = await atWork();
    await agent.turn("Look around", async () => {
      await agent.bash("true");
      shop.write("mine.txt", "by hand\n");
      await shop.commitAll("Mine");
      await shop.until(() => shop.journal.some(({ hook }) => hook === "post-commit"));
    });
    expect(shop.idsAt()).toEqual([]);
    await expect(shop.checkpoint(idOfCommit(shop.git("rev-parse", "HEAD")))).rejects.toThrow();
  });

  it("commits of others that the agent fetched or went to", async () => {
    const { shop, agent, head } = await atWork();
    shop.git("checkout", "-qb", "theirs");
    shop.write("theirs.txt", "theirs\n");
    shop.git("add", "-A");
    const then = "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z";
    await shop.runIn(shop.root, "env", then, "git", "commit", "-qm", "Theirs");
    shop.git("checkout", "-q", "main");
    await agent.turn("Merge it", () => agent.bash("git merge -q --ff-only theirs"));
    await expect(shop.checkpoint(idOfCommit(head()))).rejects.toThrow();
  });
});

it("a commit whose hook comes after the next prompt, to a daemon that came up in the turn, has its files", async () => {
  const { shop, agent } = await atWork();
  await agent.prompt("Write it");
  await agent.write("a.txt", "from the agent\n");
  const client = join(shop.home, ".seam/bin/hook");
  const whole = readFileSync(client, "utf8");
  writeFileSync(client, whole.replace("exec", '[ "$2" = post-commit ] || exec'));
  await agent.bash("git add a.txt; git commit -qm Work");
  const id = shop.idAt();
  await shop.restart();
  await agent.stop();
  await agent.prompt("Nothing more");
  // What the hook says when it gets through at last.
  await shop.tell({
    seq: shop.nextSeq(),
    id: "git-late",
    at: new Date().toISOString(),
    agent: "git",
    hook: "post-commit",
    events: [],
    told: {},
    git: { hook: "post-commit", cwd: shop.root, commit: shop.git("rev-parse", "HEAD"), pid: 0 },
  });
  const { sessions } = await shop.checkpoint(id);
  expect(sessions.map(({ metadata }) => metadata.files_touched)).toEqual([["a.txt"]]);
});
