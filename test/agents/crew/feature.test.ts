import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunReport } from "../../../src/crew/index.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { CrewStage } from "./test-kit/crew-stage.ts";
import {
  GOAL,
  PLANNER,
  PROJECT,
  RESOLVES,
  REVIEWER,
  scriptOf,
  WORKFLOW,
} from "./test-kit/feature.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const missing = whyNotRun(AGENTS["claude-code"]) ?? whyNotRun(AGENTS.codex);

let crew: CrewStage;
let browser: Browser | undefined;
beforeEach(() => {
  crew = new CrewStage(PROJECT);
});
afterEach(async () => {
  await browser?.close();
  await crew.stage.remove();
});

const seam = (...args: string[]) => crew.seam(...args);

/** The user's roles and workflow, and the models of three agents. */
async function prepare() {
  crew.role("feature-planner", "read", crew.embedded("planner", PLANNER));
  crew.role("feature-reviewer", "read", crew.embedded("reviewer", REVIEWER));
  crew.role("csv-writer", "write", "claude-code");
  crew.role("lines-writer", "write", "codex");
  crew.workflow("build", WORKFLOW);
  const [claude, codex] = await crew.agents({
    "claude-code": scriptOf("csv", ","),
    codex: [...scriptOf("lines", "\n"), ...RESOLVES],
  });
  return { claude, codex };
}

async function openPage(run: string): Promise<Page> {
  browser = await chromium.launch({ executablePath, args: FLAGS });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const { url }: { url: string } = JSON.parse(await seam("view", "--json"));
  await page.goto(url);
  await page.getByRole("navigation").first().waitFor();
  await page.goto(new URL(`crews?run=${run}`, url).href);
  return page;
}

/** Says yes in the page, once it is asked there. Where several questions wait, one is on top. */
async function agree(page: Page, about: RegExp): Promise<void> {
  const card = page.getByRole("region", { name: /Waiting for you/ });
  const question = card.getByText(about).first();
  await card.or(page.locator(".waiting-line")).first().waitFor();
  for (let tries = 0; tries < 100 && !(await question.isVisible()); tries++) {
    await page.keyboard.press("w");
    await page.waitForTimeout(500);
  }
  await question.waitFor();
  await card.getByRole("button", { name: /^yes/i }).click();
  await question.waitFor({ state: "detached" });
}

const killDaemon = () => process.kill(crew.daemon, "SIGKILL");

it.skipIf(missing !== undefined || executablePath === undefined)(
  "Claude Code, Codex and the embedded agent build a feature: planned, approved, at once, a conflict resolved, proved and merged, over two deaths of the daemon",
  async () => {
    const { claude, codex } = await prepare();
    const { stage } = crew;
    stage.seam("enable", "--agent", "claude-code");
    const id = await crew.start("build", GOAL);
    const page = await openPage(id);
    await agree(page, /plan/);

    const isAtWork = ({ agent, pid, end, number }: RunReport["attempts"][number]) =>
      agent !== "seam" && pid !== undefined && end === undefined && number > 0;
    const both = await crew.reported(id, ({ attempts }) => attempts.filter(isAtWork).length === 2);
    expect(new Set(both.attempts.filter(isAtWork).map(({ workspace }) => workspace)).size).toBe(2);
    killDaemon();

    await agree(page, /Numbers as CSV/);
    await agree(page, /Numbers as lines/);
    await crew.reported(id, ({ attempts }) =>
      attempts.some((one) => one.task === "lines" && one.number === 2 && isAtWork(one)),
    );
    killDaemon();

    await agree(page, /Numbers as lines/);
    const { run, tasks, attempts, proofs } = await crew.reported(
      id,
      (now) => now.run.endedAt !== undefined,
    );
    expect(run.state).toBe("done");
    expect(tasks.map((task) => [task.id, task.state])).toEqual([
      ["plan", "done"],
      ["review", "done"],
      ["csv", "done"],
      ["lines", "done"],
    ]);
    // Nobody was started twice, and the conflict went to the session that made it.
    const starts = attempts.map(({ task, agent }) => `${task} ${agent}`).sort();
    expect(starts).toEqual([
      "csv claude-code",
      "lines codex",
      "lines codex",
      "plan seam",
      "review seam",
    ]);
    const [first, second] = attempts.filter(({ task }) => task === "lines");
    expect(second?.resumes).toBe(first?.session);
    const played = [claude, codex].map((one) => [one?.unplayed, one?.overrun]);
    expect(played).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(proofs.every(({ passed }) => passed)).toBe(true);
    expect(proofs.flatMap(({ checks }) => checks.map(({ output }) => output)).join()).toContain(
      "pass 3",
    );
    const log = stage.git("log", "--first-parent", "--format=%s", run.target);
    expect(log.split("\n").filter((text) => text.startsWith("Merge task"))).toEqual([
      "Merge task lines: Numbers as lines",
      "Merge task csv: Numbers as CSV",
    ]);
    await page.getByText(`seam crew land ${id}`).waitFor();

    // Each merge is a checkpoint: who finds it finds the sessions that did the work, and their task.
    for (const name of ["csv", "lines"]) {
      const { mergedAs = "" } = tasks.find((task) => task.id === name) ?? {};
      const text = await seam("show", mergedAs);
      const own = attempts.filter((one) => one.task === name);
      for (const { session = "?" } of own) expect(text).toContain(session);
      expect(text).toContain(`task ${name} of the crew ${id}`);
    }
    const everything = await seam("log");
    for (const { task } of attempts) {
      expect(everything).toContain(`task ${task} of the crew ${id}`);
    }

    await seam("crew", "land", id);
    expect(readFileSync(join(stage.cwd, "src/index.js"), "utf8").split("\n")).toHaveLength(4);
  },
);
