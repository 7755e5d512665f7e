/** Pictures of the page for the docs: WRITE_SCREENSHOTS=1 npm run test:browser writes them. */
import { mkdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { conversation, Scene } from "./scene.ts";

const isWanted = process.env.WRITE_SCREENSHOTS === "1";
const IMAGES = join(import.meta.dirname, "../../docs/images");
const LARGEST = 300_000;
const START = Date.now() - 60_000;
const scene = new Scene("shop");
const QUESTION =
  'psql "$LEDGER_URL" -f migrations/0042_split_accounts.sql && rm -rf migrations/old';

beforeAll(async () => {
  if (!isWanted) return;
  mkdirSync(IMAGES, { recursive: true });
  await scene.start();
  const other = (prompt: string) => new ClaudeLines(START).prompt(prompt).answer("I am on it.");
  await scene.session("s4", "Upgrade to Node 22", other("Upgrade to Node 22"));
  await scene.hook("Stop", {}, "s4");
  await scene.session("s3", "Why does the login retry?", other("Why does the login retry?"));
  await scene.session("s2", "Find the slow query", other("Find the slow query"));
  const now = "Now run the migration on staging and commit what is left.";
  const lines = conversation(START).call("w1", "Bash", { command: QUESTION });
  await scene.session("s1", now, lines);
});
afterAll(() => (isWanted ? scene.stop() : undefined));

it.runIf(isWanted)("the views, light and dark, and on a phone", async () => {
  const { page } = await scene.open();
  const asked = scene.call("w1", QUESTION);
  await page.getByRole("region", { name: /Waiting for you/ }).waitFor();
  const take = async (name: string, options: Parameters<Scene["open"]>[0]) => {
    const shown = await scene.open(options);
    await shown.page.waitForTimeout(options?.path === "extensions" ? 15_000 : 2_500);
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
  for (const view of ["history", "extensions"]) await take(`${view}-light`, { path: view });
  await take("phone-light", { path: session, width: 390 });
});

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
