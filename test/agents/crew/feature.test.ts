import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import type { RunReport } from "../../../src/crew/index.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import { scene } from "../drive/launch.ts";
import { Stage } from "../seam/test-kit/stage.ts";
import {
  GOAL,
  PLANNER,
  PROJECT,
  RESOLVES,
  REVIEWER,
  roleFile,
  scriptOf,
  WORKFLOW,
} from "./test-kit/feature.ts";
import { programsFor } from "./test-kit/programs.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const missing = whyNotRun(AGENTS["claude-code"]) ?? whyNotRun(AGENTS.codex);

const stage = new Stage();
let browser: Browser | undefined;
let env: NodeJS.ProcessEnv = {};
afterEach(async () => {
  await browser?.close();
  stage.remove();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Not the stage's own: that one waits, and the models are in this process. */
function seam(...args: string[]): Promise<string> {
  const [program, ...rest] = stage.command;
  return new Promise((resolve, reject) => {
    execFile(program, [...rest, ...args], { cwd: stage.cwd, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}

/** The user's project, roles and workflow, and the models of three agents. */
async function prepare() {
  for (const [path, text] of Object.entries(PROJECT)) write(join(stage.cwd, path), text);
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message=An app");
  const embedded = (name: string, turns: readonly object[]) => {
    write(join(stage.root, `${name}.json`), JSON.stringify(turns));
    return `seam:scripted:${join(stage.root, `${name}.json`)}`;
  };
  const crew = join(stage.seamHome, "crew");
  const role = (name: string, access: "read" | "write", agent: string) =>
    write(join(crew, `agents/${name}.md`), roleFile(name, access, agent));
  role("feature-planner", "read", embedded("planner", PLANNER));
  role("feature-reviewer", "read", embedded("reviewer", REVIEWER));
  role("csv-writer", "write", "claude-code");
  role("lines-writer", "write", "codex");
  write(join(crew, "workflows/build.workflow.md"), WORKFLOW);
  const claude = await scene({
    ...stage,
    agent: "claude-code",
    prompt: "",
    script: scriptOf("csv", ","),
  });
  const codex = await scene({
    ...stage,
    agent: "codex",
    prompt: "",
    script: [...scriptOf("lines", "\n"), ...RESOLVES],
  });
  const PATH = `${programsFor(stage.root, ["claude-code", "codex"])}:${claude.env.PATH}`;
  env = { ...claude.env, ...codex.env, ...stage.env, PATH };
  return { claude: claude.play, codex: codex.play };
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

async function report(run: string): Promise<RunReport> {
  return JSON.parse(await seam("crew", "show", run, "--json"));
}

async function reported(run: string, isSo: (report: RunReport) => boolean): Promise<RunReport> {
  for (;;) {
    const now = await report(run);
    if (isSo(now)) return now;
    if (now.run.endedAt !== undefined) throw new Error(`it ended: ${JSON.stringify(now.run)}`);
    await sleep(200);
  }
}

function killDaemon(): void {
  process.kill(
    Number(readFileSync(join(stage.seamHome, "run/pid"), "utf8").split(" ")[0]),
    "SIGKILL",
  );
}

it.skipIf(missing !== undefined || executablePath === undefined)(
  "Claude Code, Codex and the embedded agent build a feature: planned, approved, at once, a conflict resolved, proved and merged, over two deaths of the daemon",
  async () => {
    const { claude, codex } = await prepare();
    stage.seam("enable", "--agent", "claude-code");
    const started = await seam("crew", "run", "build", GOAL, "--detach", "--agree", "--json");
    const { id } = (JSON.parse(started) as { run: { id: string } }).run;
    const page = await openPage(id);
    await agree(page, /plan/);

    const isAtWork = ({ agent, pid, end, number }: RunReport["attempts"][number]) =>
      agent !== "seam" && pid !== undefined && end === undefined && number > 0;
    const both = await reported(id, ({ attempts }) => attempts.filter(isAtWork).length === 2);
    expect(new Set(both.attempts.filter(isAtWork).map(({ workspace }) => workspace)).size).toBe(2);
    killDaemon();

    await agree(page, /Numbers as CSV/);
    await agree(page, /Numbers as lines/);
    await reported(id, ({ attempts }) =>
      attempts.some((one) => one.task === "lines" && one.number === 2 && isAtWork(one)),
    );
    killDaemon();

    await agree(page, /Numbers as lines/);
    const { run, tasks, attempts, proofs } = await reported(
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
    expect([claude.unplayed, codex.unplayed, claude.overrun, codex.overrun]).toEqual([0, 0, 0, 0]);
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
