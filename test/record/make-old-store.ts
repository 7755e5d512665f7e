/**
 * Makes what an earlier version of Seam leaves on a disk: a repository and a user's folder, packed.
 *
 *   git worktree add ../old 5509ace && cd ../old && npm ci && npm run build && cd -
 *   npx jiti test/record/make-old-store.ts ../old/dist/bin/seam.js test/record/store-0.1.0.tar.gz
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { Agent } from "./agent.ts";
import { Checkout } from "./checkout.ts";
import { Machine } from "./machine.ts";
import { BASE, OLD, type OldStore } from "./old-store.ts";

const GATE = `export default function (pi) {
  pi.on("tool_call", (event) => {
    if (String(event.input.path ?? "").endsWith(".env")) return { block: true, reason: "No secrets." };
  });
}
`;

async function make(seam: string, to: string): Promise<void> {
  const machine = new Machine(undefined, realpathSync(seam));
  try {
    const store = await fill(machine);
    await machine.kill();
    pack(machine, store, resolve(to));
  } finally {
    await machine.remove();
  }
}

async function fill(machine: Machine): Promise<OldStore> {
  mkdirSync(join(machine.store, "extensions"), { recursive: true });
  writeFileSync(join(machine.store, "extensions/no-env.ts"), GATE);
  const repo = await Checkout.create(machine, { root: join(machine.base, "repo") });

  const first = await new Agent(repo, repo.root, OLD.first).start();
  await first.turn("Write a", () => first.write("a.ts", "export const a = 1;\n"));
  await machine.recorded();
  await repo.commit("a");
  const alone = await repo.checkpointAt();
  await first.prompt("Write b and commit it");
  await first.hook("PreToolUse", {
    tool_name: "Write",
    tool_input: { file_path: join(repo.root, ".env"), content: "KEY=1" },
    tool_use_id: "toolu_stopped",
  });
  await first.write("b.ts", "export const b = 1;\n");
  await first.bash("git add b.ts && git commit -q -m b");
  await first.stop();
  await machine.recorded();
  const midTurn = await repo.checkpointAt();

  const second = await new Agent(repo, repo.root, OLD.second).start();
  await second.turn("Write c", () => second.write("c.ts", "export const c = 1;\n"));
  await first.turn("Write d", () => first.write("d.ts", "export const d = 1;\n"));
  await machine.recorded();
  await repo.commit("c and d");
  const shared = await repo.checkpointAt();
  await first.hook("SessionEnd", { reason: "exit" });
  await machine.recorded();
  await must(machine.seam(repo.root, "rewind", "HEAD~1", "--yes"));
  await must(machine.seam(repo.root, "rewind", "--undo", "--yes"));

  const open = await new Agent(repo, repo.root, OLD.open).start();
  await open.prompt("Write e, commit it, write f");
  await open.write("e.ts", "export const e = 1;\n");
  await open.bash("git add e.ts && git commit -q -m e");
  const unfinished = await repo.checkpointAt();
  await open.write("f.ts", "export const f = 1;\n");
  await machine.recorded();

  // The recorder waits for the lock of a reference, and does not live to get it.
  await second.hook("UserPromptSubmit", { prompt: "Write g" });
  await machine.recorded();
  const lock = join(repo.root, ".git/refs/seam/turns", `${OLD.second}.lock`);
  writeFileSync(lock, "");
  second.hurries = true;
  await second.write("g.ts", "export const g = 1;\n");
  await second.stop();
  await machine.kill();
  rmSync(lock);

  // The client is told that no daemon comes up, and leaves what the agent says in the spool.
  writeFileSync(join(machine.store, "run/failed"), "");
  await second.hook("SessionEnd", { reason: "exit" });
  return { alone, midTurn, shared, unfinished };
}

async function must(running: ReturnType<Machine["seam"]>): Promise<void> {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(stdout + stderr);
}

const NOT_KEPT = ["agent", ".seam/bin", ".seam/run/daemon.log", ".seam/run/daemon.sock"];
const NOT_RUNNING = ["pid", "port", "token", "curl", "failed", "starting", "unavailable"];

function pack({ base, home, store }: Machine, ids: OldStore, to: string): void {
  const payloads = readdirSync(home).filter((name) => name.startsWith("payload-"));
  for (const name of [...NOT_KEPT, ...payloads])
    rmSync(join(home, name), { recursive: true, force: true });
  for (const name of NOT_RUNNING)
    rmSync(join(store, "run", name), { recursive: true, force: true });
  for (const folder of [store, join(base, "repo/.git/seam")]) anyBase(folder, base);
  for (const name of ["repo/.git/hooks", "repo/.claude"]) anyBase(join(base, name), base);
  rmSync(join(store, "cache"), { recursive: true, force: true });
  writeFileSync(join(base, "ids.json"), JSON.stringify(ids));
  const args = ["-czf", to, "--owner=0", "--group=0", "-C", base, "ids.json", "home", "repo"];
  execFileSync("tar", args);
}

/** Where it was made must not matter where it is opened. */
function anyBase(path: string, base: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) anyBase(join(path, name), base);
    return;
  }
  const text = readFileSync(path, "latin1");
  if (text.includes(base)) writeFileSync(path, text.replaceAll(base, BASE), "latin1");
}

const [, , seam, to] = process.argv;
if (seam === undefined || to === undefined) throw new Error("say which seam, and where to");
await make(seam, to);
