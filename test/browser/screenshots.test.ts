/** Pictures of the page for the docs: WRITE_SCREENSHOTS=1 npm run test:browser writes them. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { conversation, Scene } from "./scene.ts";

const isWanted = process.env.WRITE_SCREENSHOTS === "1";
const IMAGES = join(import.meta.dirname, "../../docs/images");
const LARGEST = 300_000;
/** Views that ask every agent, or read every transcript. */
const SLOW: ReadonlySet<string> = new Set(["extensions", "use"]);
const START = Date.now() - 60_000;
const scene = new Scene("shop");
const QUESTION =
  'psql "$LEDGER_URL" -f migrations/0042_split_accounts.sql && rm -rf migrations/old';

beforeAll(async () => {
  if (!isWanted) return;
  mkdirSync(IMAGES, { recursive: true });
  standIn("claude", "2.1.197 (Claude Code)");
  standIn("codex", "codex-cli 0.166.0");
  await scene.start();
  const lines = (start = START) => new ClaudeLines(start, "claude-sonnet-4-6", 120);
  const other = (prompt: string) => lines().prompt(prompt).answer("I am on it.");
  await scene.session("s4", "Upgrade to Node 22", other("Upgrade to Node 22"));
  // A commit of this turn, with a checkpoint; the record is written a moment later.
  const engines = { command: "npm pkg set engines.node=22 && git commit -am 'Require Node 22'" };
  const call = { tool_name: "Bash", tool_input: engines, tool_use_id: "n1" };
  await scene.hook("PreToolUse", call, "s4");
  scene.commit("package.json", '{ "engines": { "node": ">=22" } }\n', "Require Node 22");
  await scene.hook("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "" } }, "s4");
  await scene.hook("Stop", {}, "s4");
  await scene.hook("SessionStart", { source: "startup", model: "gpt-5.5" }, "c1", "codex");
  const why = { prompt: "Why does the login retry?", turn_id: "t1" };
  await scene.hook("UserPromptSubmit", why, "c1", "codex");
  await scene.session("s2", "Find the slow query", other("Find the slow query"));
  const now = "Now run the migration on staging and commit what is left.";
  const waits = conversation(lines()).call("w1", "Bash", { command: QUESTION });
  await scene.session("s1", now, waits);
  keep("s1", waits);
  for (const id of ["s2", "s4"]) keep(id, other("More of it."));
  for (let day = 1; day < 8; day++) {
    const earlier = conversation(lines(START - day * 86_400_000));
    for (let more = 0; more < (day * 7) % 5; more++) earlier.answer("More of it.");
    keep(`d${day}`, earlier);
  }
});

/** Puts a transcript where the agent keeps it, so that use and search have it, too. */
function keep(id: string, { text }: ClaudeLines): void {
  const kept = join(scene.place.home, ".claude/projects/-shop");
  mkdirSync(kept, { recursive: true });
  // A call of a model counts once, and is known by its id.
  writeFileSync(join(kept, `${id}.jsonl`), text.replaceAll('"id":"m', `"id":"${id}m`));
}

/** A program of an agent, as far as it is looked for. */
function standIn(name: string, version: string): void {
  const bin = join(scene.place.home, "programs");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 });
  if (!process.env.PATH?.startsWith(bin)) process.env.PATH = `${bin}:${process.env.PATH}`;
}
afterAll(() => (isWanted ? scene.stop() : undefined));

it.runIf(isWanted)(
  "the views, light and dark, and on a phone",
  async () => {
    const { page } = await scene.open();
    const asked = scene.call("w1", QUESTION);
    await page.getByRole("region", { name: /Waiting for you/ }).waitFor();
    const take = async (name: string, options: Parameters<Scene["open"]>[0]) => {
      const shown = await scene.open(options);
      await shown.page.waitForTimeout(SLOW.has(options?.path ?? "") ? 15_000 : 2_500);
      const names = [
        [scene.place.project, "~/shop"],
        [scene.place.home, "~/.seam"],
        [hostname(), "box"],
      ];
      await shown.page.evaluate(`(${withPlainNames})(${JSON.stringify(names)})`);
      const path = join(IMAGES, `view-${name}.png`);
      await shown.page.screenshot({ path });
      expect([name, statSync(path).size < LARGEST]).toEqual([name, true]);
      await shown.page.context().close();
    };
    const session = "session/claude-code/s1";
    for (const scheme of ["light", "dark"] as const) await take(`now-${scheme}`, { scheme });
    await page.keyboard.press("n");
    await asked;
    await take("session-light", { path: session });
    await take("session-dark", { path: session, scheme: "dark" });
    for (const view of ["history", "use", "extensions"]) {
      for (const scheme of ["light", "dark"] as const) {
        await take(`${view}-${scheme}`, { path: view, scheme });
      }
    }
    await take("phone-light", { path: session, width: 390 });
  },
  600_000,
);

/** Folders of the test and the name of its machine are nobody's business. Runs in the page. */
const withPlainNames = `(names) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    for (const [from, to] of names) {
      currentNode.data = from.includes("/")
        ? currentNode.data.replaceAll(from, to)
        : currentNode.data.trim() === from ? to : currentNode.data;
    }
  }
}`;
