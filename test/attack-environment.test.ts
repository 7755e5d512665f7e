import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Bait } from "./attack/bait.ts";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";

/** A machine whose agents were given more variables by the folder they work in. */
class GivenMachine extends Machine {
  given: NodeJS.ProcessEnv = {};

  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, ...this.given };
  }
}

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

/** A repository with settings of git's and a program `git` in it that spring the bait. */
async function cloned(): Promise<{ machine: GivenMachine; bait: Bait; repo: Checkout }> {
  const machine = new GivenMachine();
  machines.push(machine);
  const bait = new Bait(join(machine.base, "bait"));
  const repo = new Checkout(machine, join(machine.base, "project"));
  mkdirSync(join(repo.root, "own/git"), { recursive: true });
  await repo.git("init", "-q", "-b", "main");
  repo.write(".gitattributes", "*.txt filter=bait\n");
  repo.write("a.txt", "a\n");
  const config = `[filter "bait"]\n\tclean = "${bait.command("filter")}"\n`;
  repo.write("own/.gitconfig", config);
  repo.write("own/git/config", config);
  repo.write(
    "own/git/git",
    `#!/bin/sh\n${bait.command("git")}\nPATH=/usr/bin:/bin exec git "$@"\n`,
  );
  chmodSync(join(repo.root, "own/git/git"), 0o755);
  // Claude Code takes variables from here and gives them to its hooks.
  mkdirSync(join(repo.root, ".claude"));
  await machine.seam(repo.root, "enable", "--agent", "claude-code", "--yes");
  return { machine, bait, repo };
}

type Attack = (place: { repo: Checkout; bait: Bait }) => NodeJS.ProcessEnv;

const ATTACKS: Readonly<Record<string, Attack>> = {
  "git settings in variables": ({ bait }) => ({
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "filter.bait.clean",
    GIT_CONFIG_VALUE_0: bait.command("filter"),
  }),
  "another global configuration": () => ({
    GIT_CONFIG_GLOBAL: "/proc/self/cwd/own/.gitconfig",
  }),
  "another home": () => ({ HOME: "/proc/self/cwd/own" }),
  "another home, by its path": ({ repo }) => ({ HOME: join(repo.root, "own") }),
  "another folder of settings": ({ repo }) => ({ XDG_CONFIG_HOME: join(repo.root, "own") }),
  "a PATH that begins in the folder": () => ({ PATH: `own/git:${process.env.PATH}` }),
  "a PATH through /proc": () => ({ PATH: `/proc/self/cwd/own/git:${process.env.PATH}` }),
  "a PATH that begins with the folder": ({ repo }) => ({
    PATH: `${join(repo.root, "own/git")}:${process.env.PATH}`,
  }),
};

it.each(Object.entries(ATTACKS))(
  "a daemon that is started with %s runs nothing of the folder's",
  async (_, attack) => {
    const { machine, bait, repo } = await cloned();
    machine.given = attack({ repo, bait });
    const agent = new Agent(repo);
    await agent.start();
    await agent.turn("Go", () => agent.write("b.txt", "b\n"));
    await machine.recorded();
    expect(bait.fired).toEqual([]);
    // What the agent itself runs goes by them: they were really there.
    const names = Object.keys(machine.given).join(" ");
    expect((await agent.run(`printenv ${names}`)).code).toBe(0);
  },
);

it("a person's own settings of git in variables go on in a daemon that an agent starts", async () => {
  const { machine, bait, repo } = await cloned();
  machine.given = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "filter.bait.clean",
    GIT_CONFIG_VALUE_0: bait.command("filter"),
  };
  await machine.seam(repo.root, "enable", "--agent", "claude-code", "--yes");
  machine.given = {};
  const agent = new Agent(repo);
  await agent.start();
  await agent.turn("Go", () => agent.write("b.txt", "b\n"));
  await machine.recorded();
  expect(bait.fired).toContain("filter");
});

it("Node loads nothing that the folder names before the daemon's own code", async () => {
  const { machine, bait, repo } = await cloned();
  const config = join(repo.root, "openssl.cnf");
  const module = join(repo.root, "loaded.cjs");
  writeFileSync(config, "");
  writeFileSync(
    module,
    `require("node:child_process").execSync(${JSON.stringify(`${bait.command("module")} || true`)});`,
  );
  machine.given = { NODE_OPTIONS: `--require ${module}`, OPENSSL_CONF: config };
  const agent = new Agent(repo);
  await agent.start();
  await machine.recorded();
  expect(bait.fired).toEqual([]);
});
