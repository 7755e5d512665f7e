import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openRepo } from "../../git/index.ts";
import type { Checkpoint } from "../checkpoint/read-checkpoint.ts";
import { readCheckpoint } from "../checkpoint/read-checkpoint.ts";
import { createRecorder, type GitRecorder, type RecorderOptions } from "../create-recorder.ts";
import { installGitHooks } from "../git-hooks/install.ts";
import { parseGitRequest } from "../git-hooks/request.ts";
import type { HookRecord } from "../recorder.ts";
import type { SecretRemover } from "../recording-context.ts";
import { openRepoRecord, type RepoRecord } from "../repo-record.ts";
import { enableRecord } from "../seam-dir.ts";
import { Project } from "./project.ts";

const AWAITED = new Set(["prepare-commit-msg", "commit-msg"]);

/** Takes nothing out: for tests that are about other things. */
export const KEEPS_ALL: SecretRemover = {
  redact: async (bytes) => ({ bytes, redactions: [] }),
  document: async (bytes) => ({ bytes, redactions: [] }),
  text: async (text) => text,
};

/**
 * A repository with Seam's real git hooks and a recorder that answers them: what the daemon does,
 * without the daemon.
 */
export class Workshop extends Project {
  readonly said: string[] = [];
  /** Everything the recorder was told, so that it can be told again. */
  readonly journal: HookRecord[] = [];
  readonly #options: Partial<RecorderOptions>;
  recorder: GitRecorder;
  #seq = 0;
  #isAway = false;
  #server: Server | undefined;
  readonly #underWay = new Set<Promise<void>>();
  #held: { readonly hook: string; readonly until: Promise<unknown> } | undefined;

  private constructor(options: Partial<RecorderOptions>, empty: boolean) {
    super({ empty });
    this.#options = options;
    this.recorder = this.#newRecorder();
  }

  static async open(
    options: Partial<RecorderOptions> & { readonly empty?: boolean } = {},
  ): Promise<Workshop> {
    const { empty = false, ...rest } = options;
    const shop = new Workshop(rest, empty);
    const repo = await openRepo(shop.root);
    if (!repo) throw new Error("no repository");
    enableRecord(repo);
    await installGitHooks(repo);
    await shop.#answerHooks();
    onTestFinished(() => shop.close());
    return shop;
  }

  #newRecorder(): GitRecorder {
    const log = (level: string, text: string, error?: unknown) =>
      this.said.push(`${level}: ${text}${error === undefined ? "" : ` (${String(error)})`}`);
    return createRecorder({ version: "1.0.0-test", redactor: KEEPS_ALL, log, ...this.#options });
  }

  /** As after the end of the daemon: what was not on the disk is forgotten. */
  async restart(): Promise<void> {
    await this.recorder.close();
    this.recorder = this.#newRecorder();
  }

  /** Of the hook to come. */
  get seq(): number {
    return this.#seq;
  }

  nextSeq(): number {
    return this.#seq++;
  }

  async tell(record: HookRecord): Promise<void> {
    this.journal.push(record);
    if (!this.#isAway) await this.recorder.accept(record);
  }

  /** As while no daemon is there: what is told meanwhile is heard by the next one, all at once. */
  async away(work: () => Promise<unknown>): Promise<void> {
    const from = this.journal.length;
    await this.recorder.close();
    this.#isAway = true;
    await work();
    this.#isAway = false;
    await this.restart();
    for (const record of this.journal.slice(from)) await this.recorder.accept(record);
  }

  async close(): Promise<void> {
    this.#server?.close();
    // What comes in late must not go on during the next test.
    await Promise.allSettled(this.#underWay);
    await this.recorder.close();
    this.#server?.closeAllConnections();
  }

  /** git run by a person; its hooks are answered meanwhile. */
  run(...args: string[]): Promise<string> {
    return this.runIn(this.root, "git", ...args);
  }

  runIn(cwd: string, program: string, ...args: string[]): Promise<string> {
    const done = this.#execute(cwd, program, args);
    // Where git refused to commit, no hook comes after it.
    const isRefused = done.then(
      () => false,
      () => args.includes("commit"),
    );
    return done.finally(async () => (await isRefused) || this.heard());
  }

  /** The same without waiting for what git does not wait for. */
  runOnly(...args: string[]): Promise<string> {
    return this.#execute(this.root, "git", args);
  }

  #execute(cwd: string, program: string, args: readonly string[]): Promise<string> {
    const env = { ...this.env, GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true" };
    return new Promise<string>((resolve, reject) => {
      execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`));
        else resolve(stdout.trimEnd());
      });
    });
  }

  /** git does not wait for the hook after a commit: this does. */
  async heard(): Promise<void> {
    const seam = join(this.root, ".git/seam");
    const reserved = join(seam, "reserved");
    const isAwaited = () =>
      existsSync(join(seam, "redone")) ||
      (existsSync(reserved) && readdirSync(reserved).length > 0);
    await this.until(() => !isAwaited());
  }

  /** Lets a hook of git's wait until some work is done, as it does on a machine with much to do. */
  async holding(hook: string, work: () => Promise<unknown>): Promise<void> {
    this.#held = { hook, until: work() };
    await this.#held.until;
    await this.heard();
    this.#held = undefined;
  }

  /** Until something is so; not for ever. */
  async until(isSo: () => boolean): Promise<void> {
    const last = Date.now() + 3_000;
    while (!isSo() && Date.now() < last) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Commits what is staged, as a person; the id of its checkpoint, if it got one. */
  async commitStaged(message: string, ...args: string[]): Promise<string | undefined> {
    await this.run("commit", "-q", "-m", message, ...args);
    return this.idAt();
  }

  async commitAll(message: string): Promise<string | undefined> {
    await this.run("add", "-A");
    return this.commitStaged(message);
  }

  /** All ids in a commit's message. */
  idsAt(rev = "HEAD"): string[] {
    const message = this.git("log", "-1", "--format=%B", rev);
    return [...message.matchAll(/^\s*Seam-Checkpoint: (\S+)$/gm)].map(([, id]) => id ?? "");
  }

  idAt(rev = "HEAD"): string | undefined {
    return this.idsAt(rev)[0];
  }

  async record(): Promise<RepoRecord> {
    const repo = await openRepo(this.root);
    if (!repo) throw new Error("no repository");
    const record = openRepoRecord(repo);
    onTestFinished(() => record.store.close());
    return record;
  }

  async checkpoint(id: string | undefined): Promise<Checkpoint> {
    const { store } = await this.record();
    const found = id === undefined ? undefined : await readCheckpoint(store, id);
    if (!found) throw new Error(`no checkpoint ${id}; ${this.said.join("\n")}`);
    return found;
  }

  /** A file of a checkpoint, as git itself shows it. */
  file(id: string, path: string): string {
    return this.git("show", `refs/seam/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/${path}`);
  }

  async #answerHooks(): Promise<void> {
    const socket = join(this.home, "s");
    const client = join(this.home, ".seam/bin/hook");
    mkdirSync(join(client, ".."), { recursive: true });
    const ring = `exec curl -s --unix-socket '${socket}' --data-binary @- "http://seam/$2"`;
    writeFileSync(client, `#!/bin/sh\n${ring}\n`);
    chmodSync(client, 0o755);
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const hook = (request.url ?? "").slice(1);
        const work = this.#gitHook(hook, Buffer.concat(chunks).toString()).finally(() => {
          this.#underWay.delete(work);
          response.end();
        });
        this.#underWay.add(work);
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(socket, resolve));
  }

  async #gitHook(hook: string, text: string): Promise<void> {
    if (this.#held?.hook === hook) await this.#held.until;
    const request = parseGitRequest(hook, text);
    if (!request) throw new Error(`not a request: ${text}`);
    if (AWAITED.has(hook)) return this.#isAway ? undefined : this.recorder.git(request);
    await this.tell({
      seq: this.nextSeq(),
      id: `git-${this.#seq}`,
      at: new Date().toISOString(),
      agent: "git",
      hook,
      events: [],
      told: {},
      git: await this.recorder.withCommit(request),
    });
  }
}
