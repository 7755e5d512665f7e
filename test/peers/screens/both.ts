import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { Script } from "../../agents/model-server/script.ts";
import { startModelServer } from "../../agents/model-server/server.ts";
import { PI_EXAMPLES, PI_ROOT, recordedExamples } from "../pi.ts";
import { Pane } from "./tmux.ts";

const SEAM = fileURLToPath(new URL("../../../dist/bin/seam.js", import.meta.url));
/** Loaded into both programs, so that what is meant for a provider comes to the model here. */
const INSTEAD = fileURLToPath(new URL("instead.mjs", import.meta.url));
const MODEL = {
  id: "mock-model",
  name: "Mock",
  reasoning: false,
  input: ["text"],
  contextWindow: 128_000,
  maxTokens: 4096,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
};

export interface BothOptions {
  readonly turns?: Script["turns"];
  /** What the model answers where it has no tools. */
  readonly side?: string;
  /** A model that the example names, and where its provider is: the model here answers in its place. */
  readonly instead?: { provider: string; id: string; api: string; address: string };
  /** There is another model to change to. */
  readonly secondModel?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  /** Makes the folder a repository with a first commit. */
  readonly git?: boolean;
  /** Where that repository came from. */
  readonly remote?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** A part of the screen: from the first row that matches to the next one that does. */
export type Part = readonly [from: RegExp, to: RegExp];

/** Pi and Seam beside each other, with the same example, the same model and the same person. */
export class Both {
  readonly panes: readonly [pi: Pane, seam: Pane];
  readonly folders: readonly [pi: string, seam: string];

  constructor(panes: readonly [Pane, Pane], folders: readonly [string, string]) {
    this.panes = panes;
    this.folders = folders;
  }

  get seam(): Pane {
    return this.panes[1];
  }

  /** Types a line, sees it, and sends it. */
  async say(text: string): Promise<void> {
    for (const pane of this.panes) pane.type(text);
    await this.show(new RegExp(escaped(text.slice(-40))));
    this.press("Enter");
  }

  type(text: string): void {
    for (const pane of this.panes) pane.type(text);
  }

  press(...keys: readonly string[]): void {
    for (const pane of this.panes) pane.press(...keys);
  }

  /** Waits until both show it. */
  async show(...wanted: readonly RegExp[]): Promise<void> {
    for (const one of wanted) await Promise.all(this.panes.map((pane) => pane.shows(one)));
  }

  /** Waits until both have shown it, even if only for a moment. */
  async flash(wanted: RegExp): Promise<void> {
    await Promise.all(this.panes.map((pane) => pane.wrote(wanted)));
  }

  async hide(gone: RegExp): Promise<void> {
    const isGone = (lines: string[]) => !gone.test(lines.join("\n"));
    await Promise.all(this.panes.map((pane) => pane.until(isGone, `the end of ${String(gone)}`)));
  }

  /** Waits until both show the same rows there; what differs is the failure. */
  agree(part: Part, masked: (line: string) => string = (line) => line): Promise<string[]> {
    return this.agreeOn((lines) => rowsOf(lines, part).map(masked));
  }

  /** The same for the boxes on the screen, wherever they stand: row, column and what is in them. */
  agreeOnBoxes(masked: (line: string) => string = (line) => line): Promise<string[]> {
    return this.agreeOn((lines) => boxesIn(lines).map(masked));
  }

  async agreeOn(seen: (lines: readonly string[]) => string[]): Promise<string[]> {
    const [pi, seam] = this.panes;
    await pi.until((lines) => seen(lines).length > 0, "what Pi shows");
    const now = () => [pi, seam].map((pane) => seen(pane.screen()).join("\n"));
    const isSame = () => {
      const [theirs, mine] = now();
      return mine !== "" && mine === theirs;
    };
    await seam.until(isSame, "the same as in Pi", AGREE_MS).catch(() => {});
    const [theirs = "", mine = ""] = now();
    expect(mine).toBe(theirs);
    return mine.split("\n");
  }
}

const AGREE_MS = 60_000;

function boxesIn(lines: readonly string[]): string[] {
  return lines.flatMap((line, row) => {
    const box = /[╭│╰├].*[╮│╯┤]/.exec(line);
    return box ? [`${row}:${box.index} ${box[0]}`] : [];
  });
}

/** Opens Pi's unchanged example in both. */
export async function openBoth(example: string, options: BothOptions = {}): Promise<Both> {
  const recorded = recordedExamples().examples[example];
  if (!recorded) throw new Error(`Pi has no example ${example}.`);
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const entry = join(PI_EXAMPLES, recorded.entry);
  const usual = ["-e", entry, "--model", "mock/mock-model", ...(options.args ?? [])];
  const [pi, seam] = ["pi", "seam"].map((key) => {
    const { turns = [], side } = options;
    server.play(key, { turns, ...(side !== undefined && { side }) });
    const home = folder("home");
    const cwd = join(home, "loom");
    mkdirSync(cwd);
    const models = {
      providers: {
        mock: {
          baseUrl: `${server.urlFor(key)}/v1`,
          api: "openai-completions",
          apiKey: "mock",
          models: options.secondModel ? [MODEL, { ...MODEL, id: "other-model" }] : [MODEL],
        },
        ...(options.instead && {
          [options.instead.provider]: {
            baseUrl: `${server.urlFor(key)}/v1`,
            api: options.instead.api,
            apiKey: "mock",
            models: [{ ...MODEL, id: options.instead.id }],
          },
        }),
      },
    };
    put(join(home, ".pi/agent/models.json"), JSON.stringify(models));
    put(join(home, ".seam/models.json"), JSON.stringify(models));
    put(join(home, ".gitconfig"), "[user]\n\tname = Peer\n\temail = peer@example.com\n");
    for (const [path, text] of Object.entries(options.files ?? {})) put(join(cwd, path), text);
    if (options.git) makeRepository(cwd, home, options.remote);
    const program = key === "pi" ? [`${PI_ROOT}/dist/cli.js`] : [SEAM, "run"];
    const pane = new Pane({
      command: [process.execPath, ...program, ...usual],
      cwd,
      env: {
        HOME: home,
        SEAM_HOME: join(home, ".seam"),
        PATH: process.env.PATH ?? "",
        LANG: "C.UTF-8",
        TERM: "tmux-256color",
        COLORTERM: "truecolor",
        PI_OFFLINE: "1",
        PI_TELEMETRY: "0",
        ...(options.instead !== undefined && {
          NODE_OPTIONS: `--import=${INSTEAD}`,
          PEER_INSTEAD_OF: options.instead.address,
          PEER_MODEL: server.urlFor(key),
        }),
        ...options.env,
      },
      columns: options.columns ?? 80,
      rows: options.rows ?? 40,
    });
    onTestFinished(() => pane.close());
    return { pane, cwd };
  });
  if (!pi || !seam) throw new Error("There are two of them.");
  const both = new Both([pi.pane, seam.pane], [pi.cwd, seam.cwd]);
  // Pi lists what it loaded; Seam takes what is typed at any time.
  await Promise.all([pi.pane.shows(/\[Extensions\]/), seam.pane.shows(/loom/)]);
  return both;
}

/** The rows of a part, without those above and below it. */
export function rowsOf(lines: readonly string[], [from, to]: Part): string[] {
  const start = lines.findIndex((line) => from.test(line));
  if (start === -1) return [];
  const end = lines.findIndex((line, row) => row >= start && to.test(line));
  return end === -1 ? [] : lines.slice(start, end + 1);
}

function makeRepository(cwd: string, home: string, remote: string | undefined): void {
  const env = { ...process.env, HOME: home };
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "-A");
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  if (remote !== undefined) git("remote", "add", "origin", remote);
}

function folder(name: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `screens-${name}-`)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
