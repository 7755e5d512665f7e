import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Question } from "../../../src/daemon/index.ts";
import { isFull } from "../../setup/sample.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { modelSaw } from "../model-server/saw.ts";
import { Stage } from "./test-kit/stage.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

let stage: Stage;
let browser: Browser | undefined;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  await browser?.close();
  await stage.remove();
});

/** Not the stage's own: that one waits, and the model of these tests is in this process. */
function seam(...args: string[]): Promise<string> {
  const [program, ...rest] = stage.command;
  const options = { cwd: stage.cwd, env: stage.env };
  return new Promise((resolve, reject) => {
    execFile(program, [...rest, ...args], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

/** The page in a real browser, as a person opens it. */
async function openPage(): Promise<Page> {
  browser = await chromium.launch({ executablePath, args: FLAGS });
  const page = await browser.newPage();
  page.setDefaultTimeout(90_000);
  const { url }: { url: string } = JSON.parse(await seam("view", "--json"));
  await page.goto(url);
  await page.getByRole("navigation").first().waitFor();
  return page;
}

const removes = (folder: string) => [
  { toolCalls: [{ do: "shell", command: `rm -rf ${folder}` } as const] },
  { text: "So be it." },
];

/** Brings the question about a folder to the top, if another one is there, or another session is open. */
async function asked(page: Page, folder: string) {
  const card = page.getByRole("region", { name: /Waiting for you/ });
  const whole = card.locator("pre", { hasText: `rm -rf ${folder}` });
  await card.or(page.locator(".waiting-line")).first().waitFor();
  for (let tries = 0; tries < 20 && !(await whole.isVisible()); tries++) {
    await page.keyboard.press("w");
    await page.waitForTimeout(500);
  }
  await whole.waitFor();
  return card;
}

/** Answers it with one click: if the daemon is gone just then, the page sends the answer again. */
async function decide(page: Page, folder: string, button: RegExp): Promise<void> {
  const card = await asked(page, folder);
  await card.getByRole("button", { name: button }).click();
  await page.locator("pre", { hasText: `rm -rf ${folder}` }).waitFor({ state: "hidden" });
}

/** What the agents themselves wrote down of their sessions. */
function transcripts(): string[] {
  const folders = [".claude/projects", ".codex/sessions"].map((path) => join(stage.home, path));
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
}

const both = whyNotRun(AGENTS["claude-code"]) ?? whyNotRun(AGENTS.codex);

it.skipIf(both !== undefined || executablePath === undefined)(
  "Claude Code and Codex wait at a gate: one is allowed and one denied in the browser, one from the terminal, over the death of the daemon",
  async () => {
    await stage.prepare("claude-code", "codex");
    stage.use("permission-gate");
    const folders = ["allowed", "denied", "typed"];
    for (const folder of folders) mkdirSync(join(stage.cwd, folder));
    const isThere = (folder: string) => existsSync(join(stage.cwd, folder));
    stage.seam("enable", "--agent", "claude-code", "codex", "--level", "user");
    const page = await openPage();
    const go = (agent: "claude-code" | "codex", folder: string) =>
      stage.launch({ agent, prompt: "clean up", script: removes(folder) });

    const [claude, codex] = [go("claude-code", "allowed"), go("codex", "denied")];
    await asked(page, "allowed");
    await asked(page, "denied");
    process.kill(stage.daemonPid ?? 0, "SIGKILL");
    await decide(page, "allowed", /^Allow/);
    const allowed = await claude;
    expect(allowed, allowed.stderr).toMatchObject({ code: 0, unplayed: 0 });
    expect(folders.map(isThere)).toEqual([false, true, true]);

    await decide(page, "denied", /^Deny/);
    const denied = await codex;
    expect(denied, denied.stderr).toMatchObject({ code: 0, unplayed: 0 });
    expect(folders.map(isThere)).toEqual([false, true, true]);
    expect(modelSaw(denied.requests).toolResults[0]?.text).toContain("The user said no.");

    const third = go("claude-code", "typed");
    await asked(page, "typed");
    const { questions }: { questions: Question[] } = JSON.parse(await seam("inbox", "--json"));
    process.kill(stage.daemonPid ?? 0, "SIGKILL");
    await seam("inbox", "answer", questions[0]?.id ?? "", "no");
    expect((await third).code).toBe(0);
    expect(folders.map(isThere)).toEqual([false, true, true]);
    const told = transcripts();
    for (const folder of ["denied", "typed"]) {
      const [one = "", ...more] = told.filter((text) => text.includes(`rm -rf ${folder}`));
      expect([one, more.length]).toEqual([expect.stringContaining("The user said no."), 0]);
    }
    expect(told.find((text) => text.includes("rm -rf allowed"))).not.toContain("said no");
    await page.getByRole("region", { name: /Waiting for you/ }).waitFor({ state: "detached" });
  },
);

const MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));
const PI_GATE = join(MODULES, AGENTS.pi.package, "examples/extensions/permission-gate.ts");

const isWhole = whyNotRun(AGENTS["claude-code"]) === undefined && executablePath !== undefined;
it.runIf(isFull && isWhole)(
  "Pi's own permission gate asks on Claude Code, unchanged, and is answered in the browser",
  async () => {
    await stage.prepare("claude-code");
    copyFileSync(PI_GATE, join(stage.seamHome, "extensions/pi-gate.ts"));
    mkdirSync(join(stage.cwd, "keep"));
    stage.seam("enable", "--agent", "claude-code", "--level", "user");
    const page = await openPage();
    for (const [answer, isThere] of [
      ["No", true],
      ["Yes", false],
    ] as const) {
      const script = removes("keep");
      const run = stage.launch({ agent: "claude-code", prompt: "clean up", script });
      const card = page.getByRole("region", { name: /Waiting for you/ });
      await card.waitFor();
      await card.getByRole("button", { name: new RegExp(`^${answer}\\b`) }).click();
      expect((await run).code).toBe(0);
      expect(existsSync(join(stage.cwd, "keep"))).toBe(isThere);
    }
  },
);
