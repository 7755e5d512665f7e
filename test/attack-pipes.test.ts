import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Agent } from "./record/agent.ts";
import { Checkout } from "./record/checkout.ts";
import { Machine, until } from "./record/machine.ts";
import { inFull, sampled } from "./setup/sample.ts";

const machines: Machine[] = [];
afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.remove();
});

function newMachine(): Machine {
  const machine = new Machine();
  machines.push(machine);
  return machine;
}

/** A repository in which these files are pipes that nobody writes to. */
async function withPipes(machine: Machine, name: string, files: readonly string[]) {
  const repo = new Checkout(machine, join(machine.base, name));
  mkdirSync(repo.root);
  await repo.git("init", "-q", "-b", "main");
  for (const file of files) {
    const path = join(repo.root, file);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
  }
  return repo;
}

const GATE = `export default (seam) => {
  seam.on("tool_call", () => ({ block: true, reason: "not today" }));
};\n`;

const IN_GIT = ["config", "HEAD", "index", "packed-refs", "commondir", "info/exclude"];

describe("pipes where a folder has its files", () => {
  it("hold up no hook there, and no gate or record anywhere else", async () => {
    const machine = newMachine();
    const good = await Checkout.create(machine);
    const calm = await new Agent(good).start();
    const folders = [
      [".seam/extensions/d/package.json", ".seam/settings.json", "AGENTS.md", "CLAUDE.md"],
      [".seam/extensions/e/index.ts", ".seam/extensions/f.ts", ".seam/settings.local.json"],
      ...sampled(IN_GIT, "config", "index").map((name) => [`.git/${name}`]),
    ];
    for (const [at, files] of folders.entries()) {
      const bad = await withPipes(machine, `bad${at}`, files);
      const agent = new Agent(bad);
      agent.hurries = true;
      await agent.start();
      await agent.prompt("Go");
      await agent.write("a.txt", "a\n");
      await agent.stop();
      for (const args of [["status"], ["doctor"], ["trust", "--list"]]) {
        const ran = await machine.seam(bad.root, ...args);
        expect(ran.code, `seam ${args.join(" ")} with ${files.join()}`).toBeGreaterThanOrEqual(0);
      }
    }
    await calm.turn("Go", () => calm.write("b.txt", "b\n"));
    expect(await machine.recorded()).toBe(true);
    await calm.bash("git add -A && git commit -q -m Change");
    expect(await good.git("log", "-1", "--format=%B")).toMatch(/Seam-Checkpoint: /);

    good.write("../home/.seam/extensions/gate.ts", GATE);
    const gated = await new Agent(good).start();
    const call = {
      ...{ session_id: gated.id, cwd: good.root, hook_event_name: "PreToolUse" },
      ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" },
    };
    good.write("../call.json", JSON.stringify(call));
    const client = '"$SEAM_HOME/bin/hook" claude-code PreToolUse';
    const { said } = await gated.run(`${client} <'${join(machine.base, "call.json")}'`);
    expect(said).toContain("not today");
  }, 180_000);

  it("a link to a device without an end holds up nothing either", async () => {
    const machine = newMachine();
    const good = await Checkout.create(machine);
    const bad = await withPipes(machine, "bad", []);
    mkdirSync(join(bad.root, ".seam/extensions/d"), { recursive: true });
    symlinkSync("/dev/zero", join(bad.root, ".seam/extensions/d/package.json"));
    rmSync(join(bad.root, ".git/config"));
    symlinkSync("/dev/zero", join(bad.root, ".git/config"));
    const agent = await new Agent(bad).start();
    await agent.prompt("Go");
    const calm = await new Agent(good).start();
    await calm.turn("Go", () => calm.write("b.txt", "b\n"));
    expect(await machine.recorded()).toBe(true);
  }, 60_000);
});

inFull(
  "a daemon with a thread that never comes back from the system ends, and leaves no process",
  async () => {
    const machine = newMachine();
    const good = await Checkout.create(machine);
    const pipe = join(machine.base, "pipe");
    const opened = join(machine.base, "opened");
    execFileSync("mkfifo", [pipe]);
    good.write(
      "../home/.seam/extensions/stuck.ts",
      `import { openSync, writeFileSync } from "node:fs";
export default (seam) => {
  seam.on("input", () => {
    writeFileSync(${JSON.stringify(opened)}, "");
    openSync(${JSON.stringify(pipe)}, "r");
  });
};\n`,
    );
    // Short, so that the test is: a daemon that ends waits for hooks that are under way.
    good.write("../home/.seam/settings.json", JSON.stringify({ deadlines: { input: 2_000 } }));
    const agent = await new Agent(good).start();
    const pid = machine.daemon;
    expect(pid).toBeDefined();
    const prompted = agent.prompt("Go").catch(() => {});
    expect(await until(() => existsSync(opened))).toBe(true);
    expect((await machine.seam(good.root, "daemon", "stop")).stdout).toContain("has ended");
    expect(await until(() => isGone(pid ?? 0), 2_000)).toBe(true);
    await prompted;
  },
  90_000,
);

function isGone(pid: number): boolean {
  try {
    return / Z /.test(execFileSync("cat", [`/proc/${pid}/stat`], { stdio: "pipe" }).toString());
  } catch {
    return true;
  }
}
