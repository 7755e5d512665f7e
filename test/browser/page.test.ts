import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import axe from "axe-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { sampled } from "../setup/sample.ts";
import { conversation, Scene, type Watched } from "./scene.ts";

const scene = new Scene();

beforeAll(async () => {
  await scene.start();
  const lines = conversation().raw('{"type":"user","broken').answer("So much for that.");
  await scene.session("s1", "Now run the migration on staging", lines);
});
afterEach(() => scene.closePages());
afterAll(() => scene.stop());

const session = "session/claude-code/s1";
/** Two by two pixels, red. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mP4z8AARAwQCgAf7gP9Y167WwAAAABJRU5ErkJggg==";

describe("the address", () => {
  it("opens the page once, and is gone from the bar; the browser is known from then on", async () => {
    const { page, troubles } = await scene.open();
    expect(page.url()).not.toContain("code");
    await page.reload();
    await page.getByText("Move billing to the new ledger").first().waitFor();
    expect(troubles).toEqual([]);
  });

  it("that was used already says how to get another", async () => {
    const url = await scene.address();
    const first = await scene.open({ url });
    await first.page.getByText("Move billing").first().waitFor();
    const second = await scene.open({ url });
    await second.page.getByText("seam view").first().waitFor();
    expect(await second.page.getByText("Move billing").count()).toBe(0);
  });
});

describe("a question", () => {
  it("stands on top with the whole command; y lets it run, and other pages see who said so", async () => {
    const [mine, other] = [await scene.open(), await scene.open({ path: "history" })];
    const ended = scene.call("q1", "rm -rf build/old && echo done");
    const asked = mine.page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("rm -rf build/old && echo done", { exact: true }).waitFor();
    await other.page.getByText("Needs you").first().waitFor({ state: "attached" });
    await mine.page.waitForTimeout(500);
    await mine.page.keyboard.press("y");
    // Nothing is said against it.
    expect(await ended).toMatchObject({ code: 0, stdout: "" });
    await asked.waitFor({ state: "detached" });
    expect([...mine.troubles, ...other.troubles]).toEqual([]);
  });

  it("is denied with n, and with the button", async () => {
    const { page } = await scene.open();
    for (const deny of ["n", "Deny"]) {
      const ended = scene.call(`q-${deny}`, `rm -rf ${deny}`);
      const asked = page.getByRole("region", { name: /Waiting for you/ });
      await asked.getByText(`rm -rf ${deny}`).first().waitFor();
      await page.waitForTimeout(500);
      if (deny === "n") await page.keyboard.press("n");
      else await asked.getByRole("button", { name: /^Deny/ }).click();
      expect((await ended).stdout).toContain('"permissionDecision":"deny"');
      await asked.waitFor({ state: "detached" });
    }
  });

  it("is answered for good once it was said so, and the rule can be taken back", async () => {
    const { page } = await scene.open();
    const first = scene.call("r1", "rm -rf cache");
    const asked = page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("rm -rf cache").first().waitFor();
    await asked.getByRole("button", { name: /Always/ }).click();
    await asked
      .getByRole("button", { name: /command/i })
      .first()
      .click();
    expect((await first).stdout).toBe("");
    expect((await scene.call("r2", "rm -rf cache")).stdout).toBe("");
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("main").getByText("rm -rf cache").first().waitFor();
    await page
      .getByRole("button", { name: /Remove/ })
      .first()
      .click();
    await page.getByRole("main").getByText("rm -rf cache").first().waitFor({ state: "detached" });
  });

  it("keeps an answer that does not arrive, says so, and sends it again until it does or is taken back", async () => {
    const { page } = await scene.open();
    const ended = scene.call("u1", "rm -rf unreached");
    const asked = page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("rm -rf unreached").first().waitFor();
    let tries = 0;
    await page.route("**/api/answer", async (route) => {
      tries++;
      // The second time a proxy says that there is nobody behind it.
      if (tries === 2) await route.fulfill({ status: 502, body: "bad gateway" });
      else await route.abort("connectionrefused");
    });
    await asked.getByRole("button", { name: /^Allow/ }).click();
    await asked.getByText("Your answer “Allow” has not arrived").waitFor();
    await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(2);
    await asked.getByRole("button", { name: "Take it back" }).click();
    await asked.getByRole("button", { name: /^Deny/ }).click();
    await asked.getByText("Your answer “Deny” has not arrived").waitFor();
    await page.unroute("**/api/answer");
    expect((await ended).stdout).toContain('"permissionDecision":"deny"');
    await asked.waitFor({ state: "detached" });
  });

  it("is answered once though the receipt of the answer got lost", async () => {
    const { page } = await scene.open();
    const ended = scene.call("u2", "rm -rf unheard");
    const asked = page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("rm -rf unheard").first().waitFor();
    let isLost = true;
    await page.route("**/api/answer", async (route) => {
      if (!isLost) return route.continue();
      isLost = false;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await asked.getByRole("button", { name: /^Deny/ }).click();
    expect((await ended).stdout).toContain('"permissionDecision":"deny"');
    await page.getByText("the page answered").first().waitFor();
    await asked.waitFor({ state: "detached" });
  });

  it("waits over the death of the daemon, and the page comes back by itself", async () => {
    const { page } = await scene.open();
    const ended = scene.call("k1", "rm -rf survivors");
    const asked = page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("rm -rf survivors").first().waitFor();
    const status = (await scene.place.seam("daemon", "status", "--json")).json<{ pid: number }>();
    process.kill(status.pid, "SIGKILL");
    await page.waitForTimeout(1_500);
    await asked.getByText("rm -rf survivors").first().waitFor({ timeout: 60_000 });
    // The page is connected again when the daemon says that somebody is attached.
    await expect
      .poll(
        async () =>
          (await scene.place.seam("daemon", "status", "--json")).json<{
            services?: { inbox?: { clients: number } };
          }>().services?.inbox?.clients,
        { timeout: 60_000 },
      )
      .toBe(1);
    await page.keyboard.press("n");
    expect((await ended).stdout).toContain('"permissionDecision":"deny"');
  });
});

describe("leading a session", () => {
  it("h holds it at its next call and lets it go on; what is said reaches it with its next step", async () => {
    const { page, troubles } = await scene.open({ path: session });
    await page.getByRole("log").getByText("npm test -- ledger").first().waitFor();
    await page.getByRole("button", { name: /^Hold/ }).waitFor();
    await page.keyboard.press("h");
    await page.getByRole("button", { name: /^Let it go on/ }).waitFor();
    const held = scene.call("h1", "ls src");
    const asked = page.getByRole("region", { name: /Waiting for you/ });
    await asked.getByText("Held at this call").waitFor();
    await asked.getByText("ls src").first().waitFor();
    await page.keyboard.press("h");
    expect(await held).toMatchObject({ code: 0, stdout: "" });
    await asked.waitFor({ state: "detached" });
    await page.keyboard.press("s");
    await page.keyboard.type("Mind the ledger.");
    await page.keyboard.press("Enter");
    await page.getByText("1 message not heard yet").waitFor();
    expect((await scene.call("h2", "ls src")).stdout).toContain("The user says: Mind the ledger.");
    await page.getByText("1 message not heard yet").waitFor({ state: "detached" });
    expect((await scene.call("h3", "ls src")).stdout).toBe("");
    expect(troubles).toEqual([]);
  });
});

describe("a session", () => {
  it("is read with the keyboard: one line each, the whole on demand, from prompt to prompt", async () => {
    const { page, troubles } = await scene.open({ path: session });
    const log = page.getByRole("log");
    await log.getByText("npm test -- ledger").first().waitFor();
    await log.getByText("a broken line").first().waitFor();
    expect(await log.getByText("await tx.insert(entry)").count()).toBe(0);
    await log.getByText("src/ledger/post.ts").last().click();
    await log.getByText("await tx.insert(entry)").first().waitFor();
    expect(page.url()).toContain("open=");
    await page.reload();
    await log.getByText("await tx.insert(entry)").first().waitFor();
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await log.getByText("Move billing to the new ledger").first().waitFor();
    expect(troubles).toEqual([]);
  });

  it("shows a skill as one line, and what a subagent did in the place where it was started", async () => {
    const child = join(dirname(scene.transcript), "family/subagents/agent-a1.jsonl");
    mkdirSync(dirname(child), { recursive: true });
    writeFileSync(child, new ClaudeLines().prompt("Look").answer("It is in the attic.").text);
    const result = { type: "tool_result", tool_use_id: "t1", content: "Found." };
    const lines = new ClaudeLines()
      .prompt("Deploy it")
      .call("k1", "Skill", { skill: "staging-deploy" })
      .result("k1", "Launching skill: staging-deploy")
      .call("t1", "Task", { subagent_type: "Explore", description: "Look around", prompt: "Look" })
      .raw(
        JSON.stringify({
          type: "user",
          uuid: "r1",
          message: { role: "user", content: [result] },
          toolUseResult: { agentId: "a1", agentType: "Explore" },
        }),
      );
    await scene.session("family", "Deploy it", lines);
    const { page, troubles } = await scene.open({ path: "session/claude-code/family" });
    const log = page.getByRole("log");
    await log.getByText("staging-deploy").first().waitFor();
    expect(await log.getByText("Launching skill").count()).toBe(0);
    await log.getByText("Explore").first().click();
    await log.getByText("It is in the attic.").first().waitFor();
    expect(troubles).toEqual([]);
  });

  it("shows its pictures, and each as it is when it is clicked", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
    const lines = new ClaudeLines()
      .prompt("Look at the plan")
      .call("i1", "Read", { file_path: "plan.png" })
      .result("i1", [image])
      .answer("It is red.");
    await scene.session("pictured", "Look at the plan", lines);
    const { page, troubles } = await scene.open({ path: "session/claude-code/pictured" });
    const log = page.getByRole("log");
    await log.getByText("It is red.").waitFor();
    await log.getByText("plan.png").first().click();
    const picture = log.getByRole("img", { name: "1 of this entry, image/png" });
    await picture.waitFor();
    await page.waitForFunction("document.querySelector('.images img')?.naturalWidth === 2");
    const [whole] = await Promise.all([page.context().waitForEvent("page"), picture.click()]);
    await whole.waitForLoadState();
    expect(await whole.evaluate("document.contentType")).toBe("image/png");
    expect(troubles).toEqual([]);
  });

  it("shows a change in one column, and side by side with d, which the address remembers", async () => {
    const { page, troubles } = await scene.open({ path: session });
    const log = page.getByRole("log");
    await log.getByText("npm test -- ledger").first().waitFor();
    await log.getByText("src/ledger/post.ts").last().click();
    const diff = log.getByRole("region", { name: /^Changes of .*post\.ts/ });
    await diff.locator("table.unified").waitFor();
    await page.keyboard.press("d");
    const split = diff.locator("table.split");
    await split.waitFor();
    const cells = split.locator("tr", { hasText: "db.insert(entries[0])" }).locator("td.line");
    expect(await cells.allTextContents()).toEqual([
      "−await db.insert(entries[0]);",
      "+await db.transaction(async (tx) => {",
    ]);
    await page.reload();
    await split.waitFor();
    await diff.getByRole("button", { name: "split" }).click();
    await diff.locator("table.unified").waitFor();
    expect(troubles).toEqual([]);
  });

  it("says above it which agent and which model works there, in full", async () => {
    const { page } = await scene.open({ path: session });
    await page.getByRole("log").getByText("npm test -- ledger").first().waitFor();
    await page.getByRole("button", { name: /^Hold/ }).waitFor();
    const about = page.locator(".top .about");
    expect(await about.textContent()).toContain("Claude Code · claude-sonnet · ledger");
    const cut = await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.top .about'))",
    );
    expect(cut).toBeLessThanOrEqual(0);
  });

  it("grows while it is looked at", async () => {
    const { page } = await scene.open({ path: session });
    await page.getByRole("log").getByText("npm test -- ledger").first().waitFor();
    const { appendFileSync } = await import("node:fs");
    appendFileSync(scene.transcript, new ClaudeLines().answer("One more thing came in.").text);
    await scene.hook("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "true" },
      tool_response: "",
      tool_use_id: "x",
    });
    await page.getByText("One more thing came in.").waitFor();
  });

  it("of 100,000 entries is there at once, and holds few elements however far one scrolls", async () => {
    const lines = new ClaudeLines();
    for (let n = 0; n < 50_000; n++) lines.prompt(`Prompt ${n}`).answer(`Answer ${n}`);
    await scene.session("long", "Prompt 0", lines);
    const { page, troubles } = await scene.open({ path: "session/claude-code/long" });
    await page.getByText("Answer 49999", { exact: true }).waitFor();
    for (let n = 0; n < 10; n++) {
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, -20_000);
    }
    await page.keyboard.press("[");
    await page.waitForTimeout(500);
    const count = await page.evaluate("document.querySelectorAll('*').length");
    expect(count).toBeLessThan(3_000);
    expect(troubles).toEqual([]);
  });
});

/** Longer than what moves on the page takes. */
const QUIET_MS = 400;
const VIEWS = ["now", session, "history", "use", "extensions", "rules"];

describe.each(["light", "dark"] as const)("in %s", (scheme) => {
  // The colours are the same ones everywhere.
  const views = scheme === "light" ? VIEWS : sampled(VIEWS, "now", session);
  it.each(views)("%s can be used by everybody", async (path) => {
    const watched = await scene.open({ scheme, path });
    await settled(watched);
    // The page's own policy lets no script in but its own: this one comes from the test.
    const found = await watched.page.evaluate(
      `${axe.source}; axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")))`,
    );
    expect(found).toEqual([]);
  });
});

it.each(VIEWS)("%s fits on a phone", async (path) => {
  const watched = await scene.open({ width: 390, path });
  await settled(watched);
  const wide = await watched.page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(wide).toBe(0);
  expect(watched.troubles).toEqual([]);
});

it("on a phone the title of a session is read in full, beside all of its buttons", async () => {
  const title = "Move the billing of all customers to the new ledger, and start with the schema";
  await scene.session("titled", title, new ClaudeLines().prompt(title).answer("I am on it."));
  const { page } = await scene.open({ width: 390, path: "session/claude-code/titled" });
  await page.getByRole("log").getByText("I am on it.").waitFor();
  await page.getByRole("button", { name: /^Hold/ }).waitFor();
  await page.getByRole("button", { name: /^Interrupt/ }).waitFor();
  const heading = page.getByRole("heading", { level: 1 });
  expect(await heading.textContent()).toBe(title);
  const cut = await page.evaluate(
    "(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.querySelector('.top h1'))",
  );
  expect(cut).toEqual([0, 0]);
});

it("shows every key, and goes around with them", async () => {
  const { page } = await scene.open();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const [keys, path] of [
    ["gh", "history"],
    ["gu", "use"],
    ["gn", "now"],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForURL((url) => url.pathname.endsWith(path) || path === "now");
  }
});

/** Waits until every answer of the server is there, and nothing on the page has changed for a while. */
async function settled({ page, unanswered }: Watched): Promise<void> {
  await page.waitForLoadState("load");
  do {
    await expect.poll(() => unanswered.size).toBe(0);
    await page.evaluate(isQuiet, QUIET_MS);
  } while (unanswered.size > 0);
}

/** In the page: resolves when nothing in it has changed for so long. */
function isQuiet(quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, quietMs);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, quietMs);
    }).observe(document, all);
  });
}

it("what is typed right after / is what is searched for", async () => {
  const { page } = await scene.open();
  await page.getByText("Move billing").first().waitFor();
  await page.keyboard.type("/gjledger");
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
  await page.waitForFunction("document.querySelector('input.big')?.value === 'gjledger'");
});

it("above a conversation only its own question is shown whole; a line leads to the others", async () => {
  const { page } = await scene.open({ path: session });
  await page.getByText("So much for that.").first().waitFor();
  const ended = scene.call("q-other", "rm -rf elsewhere", "other");
  const line = page.locator(".waiting-line");
  await line.waitFor();
  expect(await page.getByRole("region", { name: /Waiting for you/ }).count()).toBe(0);
  await line.click();
  const asked = page.getByRole("region", { name: /Waiting for you/ });
  await asked.getByText("rm -rf elsewhere").first().waitFor();
  expect(page.url()).toContain("claude-code/other");
  await asked.getByRole("button", { name: /^Deny/ }).click();
  await ended;
});

it("a session that came to an end meanwhile is marked until somebody looks at it", async () => {
  const { page } = await scene.open({ path: session });
  await page.getByText("So much for that.").first().waitFor();
  await scene.session("s9", "Write the report", conversation());
  await scene.hook("Stop", {}, "s9");
  const row = page.locator(".session-row", { has: page.locator(".unread") });
  await row.first().waitFor();
  await row.first().click();
  await row.first().waitFor({ state: "detached" });
});
