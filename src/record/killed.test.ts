import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFull, isSampled } from "../../test/setup/sample.ts";
import { checkpointIds, readCheckpoint, readTranscript } from "./checkpoint/read-checkpoint.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { dyingBefore } from "./test-kit/mortal-fs.ts";
import { newFolder } from "./test-kit/project.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** Hooks with which something else happens in the middle of a turn. */
const DIFFERS_LATER: ReadonlySet<string> = new Set(["post-commit", "Stop"]);

type Step = () => Promise<void>;

/** All of a project, kept and put back in its place. */
class Kept {
  readonly #from: string;
  readonly #copy = newFolder();

  constructor(from: string) {
    this.#from = from;
    cpSync(from, this.#copy, { recursive: true, preserveTimestamps: true });
  }

  putBack(): void {
    for (const name of readdirSync(this.#from)) rmSync(join(this.#from, name), { recursive: true });
    mkdirSync(this.#from, { recursive: true });
    cpSync(this.#copy, this.#from, { recursive: true, preserveTimestamps: true });
  }
}

/** Locks of the dead are told from those of the living by their age. */
function letTimePass(root: string): void {
  const dir = join(root, ".git/refs/seam");
  if (!existsSync(dir)) return;
  for (const { name, parentPath } of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (name.endsWith(".lock")) utimesSync(join(parentPath, name), 1, 1);
  }
}

/** What the record says in the end, without what is different every time. */
async function told(shop: Workshop) {
  const { store, states } = await shop.record();
  const ids = (await checkpointIds(store)).reverse();
  const named = (text: string) => ids.reduce((all, id, at) => all.replaceAll(id, `id-${at}`), text);
  const checkpoints = [];
  const lengths: (number | undefined)[] = [];
  for (const id of ids) {
    const found = await readCheckpoint(store, id);
    const sessions = found?.sessions.map(({ metadata, index }) => {
      const { created_at: _, session_metrics: __, commit_sha: ___, ...rest } = metadata;
      return { rest, index };
    });
    for (const { index } of sessions ?? []) {
      lengths.push(found && (await readTranscript(store, found, index))?.length);
    }
    const { commit_sha: _, sessions: __, ...metadata } = found?.metadata ?? {};
    checkpoints.push(JSON.parse(named(JSON.stringify({ metadata, sessions }))));
  }
  const turns = shop.git("log", "--reverse", "--format=%s", "--glob=refs/seam/turns/*");
  const pending = states.live().map((state) => Object.keys(state.pending.files));
  return { checkpoints, lengths, turns, pending };
}

it("loses and doubles nothing, wherever it is killed", { timeout: 300_000 }, async () => {
  const shop = await Workshop.open();
  const claude = new FakeClaude(shop);
  const steps: [name: string, step: Step][] = [];
  let commits = 0;

  /** Every hook the agent sends is a step of its own. */
  const play = async (work: () => Promise<unknown>) => {
    const from = shop.journal.length;
    await work();
    for (const record of shop.journal.slice(from)) {
      steps.push([record.hook, () => shop.recorder.accept(record)]);
    }
  };
  const agentPid = Number((await claude.run("echo $$")).trim());
  const commit = (pid: number) => {
    const message = () => join(shop.root, ".git", "MESSAGE");
    const from = () => ({ cwd: shop.root, pid });
    const prepare = async () => {
      const args = [message(), "message"];
      await shop.recorder.git({ hook: "prepare-commit-msg", ...from(), args });
    };
    const text = `Commit ${++commits}\n`;
    steps.push([
      "git itself",
      async () => {
        shop.write(".git/MESSAGE", text);
        shop.git("add", "-A");
      },
    ]);
    steps.push(["prepare-commit-msg", prepare]);
    steps.push([
      "git itself",
      async () => {
        const off = ["-c", "core.hooksPath=/dev/null"];
        shop.git(...off, "commit", "-q", "--allow-empty", "-F", message());
      },
    ]);
    steps.push(["post-commit", () => shop.recorder.git({ hook: "post-commit", ...from() })]);
  };

  // Written before the prompt is recorded: what is walked through is the recording alone.
  const work = (path: string, text: string) =>
    steps.push(["the work itself", async () => void shop.write(path, text)]);
  const start = new Kept(shop.root);
  await play(() => claude.start());
  work("a.ts", "export const a = 1;\n");
  await play(() => claude.turn("One", () => claude.write("a.ts", "export const a = 1;\n")));
  commit(process.pid);
  work("b.ts", "export const b = 2;\n");
  await play(async () => {
    await claude.prompt("Two");
    await claude.skill("greet");
    await claude.write("b.ts", "export const b = 2;\n");
  });
  commit(agentPid);
  await play(() => claude.stop());

  const afresh = async () => {
    await shop.restart();
    shop.said.splice(0);
  };
  const before: Kept[] = [];
  start.putBack();
  await afresh();
  for (const [, step] of steps) {
    before.push(new Kept(shop.root));
    await step();
  }
  const whole = await told(shop);
  expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
  expect(whole.checkpoints).toHaveLength(2);
  expect(whole.pending).toEqual([]);

  let deaths = 0;
  const walked = new Set<string>();
  for (const [at, [name, step]] of steps.entries()) {
    if (name.endsWith("itself") || (walked.has(name) && !DIFFERS_LATER.has(name))) continue;
    walked.add(name);
    for (let n = 0; ; n++) {
      if (!isSampled(n, 12)) continue;
      before[at]?.putBack();
      await afresh();
      if (!(await dyingBefore(n, step))) break;
      deaths++;
      await afresh();
      letTimePass(shop.root);
      // git goes on without an answer; everything else comes again from the journal.
      if (name === "prepare-commit-msg") {
        await steps[at + 1]?.[1]();
        expect(shop.isSound(), `${name} killed at ${n}`).toBe(true);
        continue;
      }
      for (const [, next] of steps.slice(at)) await next();
      expect(await told(shop), `${name} killed at ${n}`).toEqual(whole);
      expect(shop.isSound(), `${name} killed at ${n}`).toBe(true);
    }
  }
  expect(deaths).toBeGreaterThan(isFull ? 80 : 20);
});
