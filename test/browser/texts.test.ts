/** Texts that a page gets wrong easily: of other directions, with what nobody sees, long ones. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const ARABIC = "انقل الفوترة إلى `src/post.ts` ثم شغل الاختبارات.";
const session = (id: string) => `session/claude-code/${id}`;

beforeAll(() => scene.start());
afterEach(() => scene.closePages());
afterAll(() => scene.stop());

it("a person sees every character of what is asked, also those that show nothing or turn text around", async () => {
  const lines = new ClaudeLines().prompt("Clean up");
  await scene.session("hidden", "Clean up", lines);
  const { page, troubles } = await scene.open({ path: session("hidden") });
  await page.getByText("Clean up").first().waitFor();
  const ended = scene.call("q1", "rm -rf /tmp/\u202Etxt.a\u202C \x1b[2K b\u200b", "hidden");
  const asked = page.getByRole("region", { name: /Waiting for you/ });
  await asked.getByRole("group", { name: "The whole of it" }).waitFor();
  expect(await asked.locator("pre").textContent()).toBe(
    "rm -rf /tmp/⟨U+202E⟩txt.a⟨U+202C⟩ ⟨U+001B⟩[2K b⟨U+200B⟩",
  );
  await asked.getByRole("button", { name: /^Deny/ }).click();
  expect((await ended).stdout).toContain('"deny"');
  expect(troubles).toEqual([]);
});

it("what else waits says in its line what it is about", async () => {
  await scene.session("here", "Look around", new ClaudeLines().prompt("Look around"));
  const { page } = await scene.open({ path: session("here") });
  await page.getByText("Look around").first().waitFor();
  const ended = scene.call("q2", "rm -rf elsewhere", "there");
  const line = page.locator(".waiting-line");
  await line.getByText("rm -rf elsewhere").waitFor();
  await line.click();
  await page.getByRole("button", { name: /^Deny/ }).click();
  await ended;
});

it("words that are read from right to left begin at the right, and code in them stays as it is", async () => {
  const lines = new ClaudeLines().prompt(ARABIC).answer(ARABIC).answer("And in English.");
  await scene.session("arabic", ARABIC, lines);
  const { page } = await scene.open({ path: session("arabic") });
  const answer = page.locator(".prose p");
  await answer.nth(1).waitFor();
  // Where the first and the last letter are drawn.
  const ends = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const texts: Text[] = [];
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode())
          if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
        const place = (text: Text | undefined, at: number) => {
          const range = document.createRange();
          if (text) range.setStart(text, at);
          if (text) range.setEnd(text, at + 1);
          return range.getBoundingClientRect().left;
        };
        const last = texts.at(-1);
        return { first: place(texts[0], 0), last: place(last, (last?.length ?? 1) - 1) };
      });
  for (const selector of [".prose p", ".words", "h1"]) {
    const { first, last } = await ends(selector);
    expect([selector, first > last]).toEqual([selector, true]);
  }
  const english = await answer.nth(1).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().left - element.getBoundingClientRect().left;
  });
  expect(english).toBeLessThan(2);
});

it("a title of 5,000 characters, HTML and escapes break no view and run nothing", async () => {
  const evil = `<img src=x onerror=alert(1)> \x1b[31mred\x1b[0m ${"word ".repeat(1_000)}`;
  const lines = new ClaudeLines()
    .prompt(evil)
    .answer(evil)
    .call("e1", "Write", { file_path: "src/<img src=x onerror=alert(2)>\x1b[31m.ts", content: "a" })
    .result("e1", "\x1b[2Jdone");
  await scene.session("evil", evil, lines);
  for (const width of [1440, 390]) {
    const { page, troubles } = await scene.open({ path: session("evil"), width });
    await page.getByText("⟨U+001B⟩[31m.ts").first().waitFor();
    expect(await page.locator("img[src='x']").count()).toBe(0);
    expect(await page.locator("h1").textContent()).not.toContain("\x1b");
    const { wide, has } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      has: innerWidth,
    }));
    expect(wide).toBeLessThanOrEqual(has);
    expect(troubles).toEqual([]);
  }
});

it("the use of sessions that are still being read is filled in by itself", async () => {
  const { page } = await scene.open();
  let asked = 0;
  await page.route("**/api/stats", async (route) => {
    const index = { isComplete: asked++ > 0 };
    const row = { key: "2026-11-18", calls: 3, input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
    const answer = {
      by: "day",
      rows: index.isComplete ? [row] : [],
      total: row,
      unknownPrices: [],
      pricesOf: "2026-11-17",
    };
    await route.fulfill({ json: { index, answer } });
  });
  await page.goto(new URL("use", page.url()).href);
  await page.getByText("are still being read").waitFor();
  expect(await page.getByText("No use in this time").count()).toBe(0);
  await page
    .getByRole("cell", { name: "2026-11-18" })
    .or(page.getByText("2026-11-18"))
    .first()
    .waitFor();
  expect(await page.getByText("are still being read").count()).toBe(0);
});
