import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { daemonPaths } from "../../src/daemon/index.ts";
import { type HookEnd, startHook } from "../../src/daemon/test-kit/setup.ts";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { newPlace, type Place } from "../cli/seam.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
// As root, which is what a container's user often is, Chromium has no sandbox.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

const STREAM = "text/event-stream";

/** What went wrong in a page: nothing may. */
export interface Watched {
  readonly page: Page;
  readonly troubles: string[];
  /** What the page has asked its server for and has not got; a stream of events is always open. */
  readonly unanswered: ReadonlySet<Request>;
}

export interface OpenOptions {
  readonly scheme?: "light" | "dark";
  readonly width?: number;
  /** A path of the page, after it was opened. */
  readonly path?: string;
  /** Another address than a new one. */
  readonly url?: string;
}

/** A user's home, a project, a daemon and a browser that are there for one file of tests. */
export class Scene {
  readonly place: Place;
  #browser: Browser | undefined;
  readonly #contexts: BrowserContext[] = [];

  /** `project`: what its folder is called. */
  constructor(project?: string) {
    this.place = newPlace({ "README.md": "# shop\n", "src/post.ts": "export {};\n" }, project);
  }

  get transcript(): string {
    return join(this.place.home, "transcripts/s1.jsonl");
  }

  async start(): Promise<void> {
    const { project, home } = this.place;
    const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "pipe" });
    git("init", "--quiet", "--initial-branch=ledger");
    git("config", "user.name", "A");
    git("config", "user.email", "a@localhost");
    git("add", "README.md", "src");
    git("commit", "--quiet", "-m", "Start");
    for (const folder of ["extensions", "transcripts"]) mkdirSync(join(home, folder));
    const gate = "permission-gate.ts";
    copyFileSync(
      join(import.meta.dirname, "../../extensions", gate),
      join(home, "extensions", gate),
    );
    await this.place.seam("enable", "--agent", "claude-code");
    await this.place.seam("daemon", "start");
    const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
    this.#browser = await chromium.launch({ executablePath, args: FLAGS });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.place.seam("daemon", "stop");
    this.place.remove();
  }

  /** An address as `seam view` gives it. */
  async address(): Promise<string> {
    return (await this.place.seam("view", "--json")).json<{ url: string }>().url;
  }

  /** Opens the page in a browser of its own, as another person would. */
  async open(options: OpenOptions = {}): Promise<Watched> {
    const { scheme = "light", width = 1440, path, url = await this.address() } = options;
    const context = await this.#browser?.newContext({
      viewport: { width, height: width < 600 ? 844 : 860 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    });
    if (!context) throw new Error("there is no browser");
    this.#contexts.push(context);
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(`${message.text()} ${message.location().url}`);
    });
    const { origin } = new URL(url);
    const unanswered = new Set<Request>();
    page.on("request", (request) => {
      unanswered.add(request);
      const to = request.url();
      if (!to.startsWith(origin) && !/^(data|blob):/.test(to)) troubles.push(`went to ${to}`);
    });
    page.on("requestfinished", (request) => unanswered.delete(request));
    page.on("requestfailed", (request) => unanswered.delete(request));
    page.on("response", (response) => {
      if (response.headers()["content-type"] === STREAM) unanswered.delete(response.request());
    });
    await page.goto(url);
    await page.locator("#app > *").first().waitFor({ state: "attached" });
    if (path !== undefined) {
      await page.goto(new URL(path, origin).href);
      await page.locator("#app > *").first().waitFor({ state: "attached" });
    }
    return { page, troubles, unanswered };
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }

  /** Changes a file of the project and commits it, with the hooks that `seam enable` put there. */
  commit(path: string, text: string, subject: string): void {
    const { project, home } = this.place;
    const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: home };
    writeFileSync(join(project, path), text);
    for (const args of [
      ["add", path],
      ["commit", "--quiet", "-m", subject],
    ]) {
      execFileSync("git", args, { cwd: project, env, stdio: "pipe" });
    }
  }

  /** A hook of an agent, of Claude Code if no other is named, as its program rings it. */
  hook(name: string, fields: object = {}, session = "s1", agent = "claude-code"): Promise<HookEnd> {
    const { project, home } = this.place;
    const { child, ended } = startHook({ ...daemonPaths(home), project }, name, { agent });
    const transcript = join(home, "transcripts", `${session}.jsonl`);
    const common = { session_id: session, transcript_path: transcript, cwd: project };
    child.stdin?.end(JSON.stringify({ ...common, hook_event_name: name, ...fields }));
    return ended;
  }

  /** A session that works: its transcript is there, and its hooks have told of it. */
  async session(session: string, prompt: string, lines: ClaudeLines): Promise<void> {
    writeFileSync(join(this.place.home, "transcripts", `${session}.jsonl`), lines.text);
    await this.hook("SessionStart", { source: "startup" }, session);
    await this.hook("UserPromptSubmit", { prompt }, session);
  }

  /** A call that the gate asks about: resolves when the agent may go on. */
  call(id: string, command: string, session = "s1"): Promise<HookEnd> {
    const fields = { tool_name: "Bash", tool_input: { command }, tool_use_id: id };
    return this.hook("PreToolUse", fields, session);
  }
}

/** A conversation with one of everything that the page shows. */
export function conversation(lines = new ClaudeLines()): ClaudeLines {
  const old =
    "const entries = split(invoice);\nawait db.insert(entries[0]);\nawait db.insert(entries[1]);\n";
  const now =
    "const entries = split(invoice);\nawait db.transaction(async (tx) => {\n  for (const entry of entries) await tx.insert(entry);\n});\n";
  const todos = [
    { content: "Change the schema", status: "completed", activeForm: "Changing" },
    { content: "Move post.ts to a transaction", status: "in_progress", activeForm: "Moving" },
    { content: "Run the migration on staging", status: "pending", activeForm: "Running" },
  ];
  return lines
    .prompt("Move billing to the new ledger. Start with the schema.")
    .thinking("The old table holds both sides of an entry; split it first.")
    .answer("I split the table first, then move the code over.")
    .call("c1", "TodoWrite", { todos })
    .result("c1", "ok")
    .call("c2", "Read", { file_path: "src/ledger/post.ts" })
    .result("c2", old)
    .prompt("Now run the migration on staging and commit what is left.")
    .answer(
      "The schema change is in place. I will run the migration, then the **ledger tests**, and commit.",
    )
    .call("c3", "Bash", { command: "npm test -- ledger", description: "Run the tests" })
    .result("c3", "\u001b[32m✓\u001b[39m 41 passed\n\u001b[31m✗\u001b[39m 0 failed\n")
    .call("c4", "Edit", { file_path: "src/ledger/post.ts", old_string: old, new_string: now })
    .result("c4", "The file has been updated.")
    .call("c5", "Write", { file_path: ".env.staging", content: "URL=x\n" })
    .result("c5", ".env.staging holds secrets. Ask the user for the value.", { is_error: true })
    .answer("I will not write that file. Next, the migration itself.");
}
