import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { EventMap, SeamEvent, SessionEntry } from "../../../src/events/index.ts";
import type { ExtensionUIContext, InlineExtension, Source } from "../../../src/extensions/index.ts";
import { createAgent, type EmbeddedAgent, SessionFile } from "../../../src/host/index.ts";
// Around the index: models are chosen by name there, and these are made by hand.
import {
  type Models,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModels,
} from "../../../src/host/models/index.ts";
import type { Answer } from "../../../src/testing/index.ts";
import { type Edition, examplesOf } from "../pi.ts";
import { type Person, person, type Step } from "./person.ts";

/** What the scripted model was asked. */
export interface Asked {
  readonly system: string;
  readonly messages: readonly { role: string; content: unknown }[];
  readonly tools: readonly { name: string }[];
}

type ToolResultMessage = Extract<
  EventMap["message_end"]["message"],
  { readonly role: "toolResult" }
>;

export interface StageOptions {
  readonly turns?: readonly ScriptedTurn[];
  readonly model?: ScriptedModel;
  /** Extra work on the models, such as another provider. */
  readonly models?: (models: Models) => void;
  /** Which one is used; the script's without it. False: nobody says. */
  readonly use?: string | false;
  /** Somebody is there who answers dialogs like this. Without it nobody is. */
  readonly answers?: readonly Answer[];
  /** What that somebody types into each component that is shown. */
  readonly keys?: readonly (readonly Step[])[];
  /** Another way to talk to somebody. */
  readonly ui?: ExtensionUIContext;
  readonly flags?: Readonly<Record<string, boolean | string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Makes the folder a repository in which everything is committed. */
  readonly git?: boolean;
  /** The session to take up again. */
  readonly resume?: string;
  /** Instead of a folder of its own. */
  readonly cwd?: string;
  readonly also?: readonly (Source | string | InlineExtension)[];
  readonly keepRecentTokens?: number;
  readonly appendSystemPrompt?: string;
  /** Whether extensions may decide about those of the project. */
  readonly asksForTrust?: boolean;
}

export interface Stage {
  readonly agent: EmbeddedAgent;
  readonly cwd: string;
  readonly home: string;
  readonly models: Models;
  readonly person: Person;
  readonly events: SeamEvent[];
  /** One for each call of the model. */
  readonly asked: Asked[];
  /** Prompts, and waits until nothing happens any more. */
  prompt(text: string): Promise<void>;
  idle(): Promise<void>;
  entries(): SessionEntry[];
  results(): ToolResultMessage[];
  notifications(): string[];
  /** What went wrong in the extension. */
  problems(): string[];
  sessionFile(): string;
}

/** Pi's example, unchanged, on an agent of Seam's in a folder of its own. */
export async function onSeam(example: string, options: StageOptions = {}): Promise<Stage> {
  const home = folder("home");
  const cwd = options.cwd ?? folder("project");
  enter(cwd, home);
  for (const [path, text] of Object.entries(options.files ?? {})) put(join(cwd, path), text);
  if (options.git) makeRepository(cwd);
  const models = scriptedModels(options.turns ?? [], {
    modelsFile: join(home, "models.json"),
    authFile: join(home, "auth.json"),
    ...(options.model && { model: options.model }),
  });
  options.models?.(models);
  const somebody = person(options.answers ?? [], options.keys ?? []);
  const ui = options.ui ?? (options.answers && somebody.ui);
  const dir = join(home, "sessions");
  const agent = await createAgent({
    cwd,
    models,
    ...(options.use !== false && { model: options.use ?? "scripted/script" }),
    extensions: [entryOf(example), ...(options.also ?? [])],
    flags: options.flags ?? {},
    session: options.resume
      ? SessionFile.open(options.resume, { cwd }).session
      : SessionFile.create({ cwd, dir }),
    sessions: {
      create: (wanted = {}) => SessionFile.create({ cwd, dir, ...wanted }),
      open: (file) => SessionFile.open(file, { cwd }).session,
    },
    mode: ui ? (options.ui ? "rpc" : "tui") : "print",
    ...(ui && { ui }),
    ...(options.keepRecentTokens !== undefined && {
      compaction: { keepRecentTokens: options.keepRecentTokens },
    }),
    ...(options.appendSystemPrompt !== undefined && {
      appendSystemPrompt: options.appendSystemPrompt,
    }),
    ...(options.asksForTrust && { asksForTrust: true }),
    retry: { maxRetries: 0 },
  });
  onTestFinished(() => agent.dispose());
  return watched(agent, { cwd, home, models, person: somebody });
}

function watched(
  agent: EmbeddedAgent,
  parts: Pick<Stage, "cwd" | "home" | "models" | "person">,
): Stage {
  const events: SeamEvent[] = [];
  const asked: Asked[] = [];
  agent.subscribe((event) => {
    events.push(event);
    if (event.type === "before_provider_request") asked.push(event.payload as Asked);
  });
  const idle = async () => {
    // What an extension does after the end of a turn may begin another one.
    for (let quiet = 0; quiet < 3; quiet++) {
      if (!agent.isIdle) quiet = 0;
      await agent.waitForIdle();
      await agent.extensions.dispatcher.settled();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    ...parts,
    agent,
    events,
    asked,
    idle,
    prompt: async (text) => {
      await agent.prompt(text);
      await idle();
    },
    entries: () => agent.session.getEntries(),
    results: () =>
      agent.session
        .getEntries()
        .flatMap((entry) => (entry.type === "message" ? [entry.message] : []))
        .filter((message) => message.role === "toolResult"),
    notifications: () => parts.person.seen.notifications.map(({ message }) => message),
    problems: () => agent.extensions.problems.map(({ error }) => error.message),
    sessionFile: () => agent.session.getSessionFile() ?? "",
  };
}

/** The version of Pi whose examples the test that runs now is about. */
let edition: Edition = "0.74.2";

/** Tests run one after the other: while one does, it is about this version. */
export function beAbout(version: Edition): void {
  edition = version;
}

/** Which version the running test is about, for what differs between them. */
export function isAbout(version: Edition): boolean {
  return edition === version;
}

/** Where the examples of a version keep what belongs to a project. */
export function projectDir(): string {
  return isAbout("0.74.2") ? ".pi" : ".seam";
}

export function entryOf(example: string): string {
  const file = examplesOf(edition).get(example);
  if (file === undefined) throw new Error(`Pi ${edition} has no example ${example}.`);
  return file;
}

/** A folder that is gone after the test. */
export function folder(name: string): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `seam-peers-${name}-`)));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The environment for the length of a test. */
export function setEnv(values: Readonly<Record<string, string>>): void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** Many examples ask the process where they are, as those of Pi may. */
function enter(cwd: string, home: string): void {
  const before = process.cwd();
  process.chdir(cwd);
  onTestFinished(() => process.chdir(before));
  setEnv({
    HOME: home,
    SEAM_HOME: join(home, ".seam"),
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
  });
  put(join(home, ".seam/.keep"), "");
  put(join(home, ".gitconfig"), "[user]\n\tname = Peer\n\temail = peer@example.com\n");
}

function makeRepository(cwd: string): void {
  git(cwd, "init", "--quiet", "--initial-branch=main");
  git(cwd, "add", "-A");
  git(cwd, "commit", "--quiet", "--allow-empty", "-m", "start");
}

export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: { type?: string; text?: string }) =>
      block.type === "text" ? [block.text] : [],
    )
    .join("\n");
}

/** One turn in which the model calls tools, and one in which it is content. */
export function calling(name: string, args: Record<string, unknown>): ScriptedTurn[] {
  return [{ toolCalls: [{ name, arguments: args }] }, { text: "Done." }];
}
