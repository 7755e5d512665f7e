import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine } from "./record/machine.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

interface Attacked {
  readonly repo: Checkout;
  /** A folder of the user's that the project has no business in. */
  readonly outside: string;
}

/** A project with links in it that were made by whoever wrote the project. */
async function linked(links: Readonly<Record<string, string>>): Promise<Attacked> {
  const machine = new Machine();
  machines.push(machine);
  const repo = new Checkout(machine, join(machine.base, "project"));
  const outside = join(machine.home, "private");
  mkdirSync(outside, { recursive: true });
  mkdirSync(repo.root);
  await repo.git("init", "-q", "-b", "main");
  repo.write("README.md", "# A project\n");
  for (const [name, target] of Object.entries(links)) {
    const path = join(repo.root, name);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    symlinkSync(join(outside, target), path);
  }
  return { repo, outside };
}

const AGENTS: readonly (readonly [agent: string, link: string])[] = [
  ["claude-code", ".claude"],
  ["codex", ".codex"],
  ["gemini", ".gemini"],
  ["copilot-cli", ".github/hooks"],
  ["opencode", ".opencode"],
  ["factoryai-droid", ".factory"],
  ["cursor", ".cursor"],
  ["pi", ".pi"],
];

describe("a committed link that leads out of the project", () => {
  for (const [agent, link] of AGENTS) {
    it(`${link} gets nothing written for ${agent}`, async () => {
      const { repo, outside } = await linked({ [link]: "" });
      const ran = await repo.machine.seam(repo.root, "enable", "--agent", agent, "--json");
      expect(`${ran.stdout}${ran.stderr}`).toContain("SEAM_LINK_OUTSIDE");
      expect(ran.code).not.toBe(0);
      expect(readdirSync(outside)).toEqual([]);
      for (const args of [
        ["doctor", "--fix"],
        ["status"],
        ["disable", "--agent", agent, "--yes"],
      ]) {
        await repo.machine.seam(repo.root, ...args);
        expect([args, readdirSync(outside)]).toEqual([args, []]);
      }
    });
  }

  it("as the file of the agent's settings itself, also when it is not there yet", async () => {
    const { repo, outside } = await linked({ ".claude/settings.local.json": "made.json" });
    const ran = await repo.machine.seam(repo.root, "enable", "--agent", "claude-code", "--json");
    expect(`${ran.stdout}${ran.stderr}`).toContain("SEAM_LINK_OUTSIDE");
    writeFileSync(join(outside, "made.json"), "{}");
    await repo.machine.seam(repo.root, "enable", "--agent", "claude-code", "--json");
    expect(readFileSync(join(outside, "made.json"), "utf8")).toBe("{}");
  });

  it(".git/hooks gets no hooks of Seam's, which work all the same", async () => {
    const { repo, outside } = await linked({ ".git/hooks": "hooks" });
    mkdirSync(join(outside, "hooks"));
    await repo.enable();
    expect(readdirSync(join(outside, "hooks"))).toEqual([]);
    const agent = await new Agent(repo).start();
    await agent.prompt("Go");
    await agent.write("a.txt", "a\n");
    await agent.bash("git add -A && git commit -q -m Work");
    await agent.stop();
    expect(await repo.checkpointAt()).toMatch(/^[0-9a-f]{12}$/);
    await repo.machine.seam(repo.root, "disable", "--yes", "--json");
    expect((await repo.tries("config", "core.hooksPath")).stdout).toBe("");
  });

  it(".git/seam gets nothing of what is recorded", async () => {
    const { repo, outside } = await linked({ ".git/seam": "record" });
    mkdirSync(join(outside, "record"));
    const ran = await repo.machine.seam(repo.root, "enable", "--agent", "claude-code", "--json");
    expect(ran.code).not.toBe(0);
    writeFileSync(join(outside, "record/enabled"), "");
    const agent = await new Agent(repo).start().catch(() => undefined);
    await agent?.turn("Go", () => agent.write("a.txt", "a\n"));
    await repo.machine.recorded();
    expect(readdirSync(join(outside, "record"))).toEqual(["enabled"]);
  });

  it(".seam gets no new extension", async () => {
    const { repo, outside } = await linked({ ".seam": "" });
    const ran = await repo.machine.seam(repo.root, "ext", "new", "mine");
    expect(ran.stderr).toContain("leads out of the project");
    expect(readdirSync(outside)).toEqual([]);
  });
});

it("links in the user's own home are followed, as dotfiles need it", async () => {
  const { repo } = await linked({});
  const { home } = repo.machine;
  mkdirSync(join(home, "dotfiles"));
  mkdirSync(join(home, ".claude"));
  symlinkSync(join(home, "dotfiles/settings.json"), join(home, ".claude/settings.json"));
  writeFileSync(join(home, "dotfiles/settings.json"), "{}\n");
  const args = ["enable", "--agent", "claude-code", "--level", "user", "--json"];
  expect((await repo.machine.seam(repo.root, ...args)).code).toBe(0);
  expect(readFileSync(join(home, "dotfiles/settings.json"), "utf8")).toContain("PreToolUse");
  expect(existsSync(join(home, ".claude/settings.json"))).toBe(true);
});
