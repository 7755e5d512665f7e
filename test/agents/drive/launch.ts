import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SeenRequest } from "../model-server/play.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import type { Agent, AgentName, Consent, Place } from "./agent.ts";
import { AGENTS } from "./agents/index.ts";
import { programOf, ripgrepFolder, whyNotRun } from "./installed.ts";
import { type IntentScript, inNativeWords } from "./intents.ts";
import { type Exit, runProgram } from "./run-program.ts";

export interface Launch extends Place {
  readonly agent: AgentName;
  /** Another release of it than the one that all tests run on. */
  readonly release?: Agent;
  readonly prompt: string;
  readonly script: IntentScript | IntentScript["turns"];
  /** The id of the session to go on with. */
  readonly resume?: string;
  /** Undefined: not there at all. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly extraArgs?: readonly string[];
  /** A script for Node that starts the program and talks to it, in place of the agent's own. */
  readonly through?: string;
  /** Both are given unless a test takes them back. */
  readonly consent?: Partial<Consent>;
  readonly timeoutMs?: number;
}

export interface Launched extends Exit {
  /** What the agent asked the model, in order. `modelSaw` makes it easy to read. */
  readonly requests: readonly SeenRequest[];
  /** Turns of the script that the agent did not come for, and how often it came for more. */
  readonly unplayed: number;
  readonly overrun: number;
  readonly sessionId?: string;
  readonly transcriptPath?: string;
}

const TIMEOUT_MS = 150_000;

let running: Promise<ModelServer> | undefined;

/** One server for all agents of this process. */
export function modelServer(): Promise<ModelServer> {
  running ??= startModelServer();
  return running;
}

/** Runs one prompt of a real agent to its end, on a scripted model. */
export async function launch(options: Launch): Promise<Launched> {
  const { root, cwd } = options;
  const agent = options.release ?? AGENTS[options.agent];
  const { through = agent.through } = options;
  const program = programOf({ ...agent, ...(through !== undefined && { through }) });
  if (!program) throw new Error(`Not run: ${whyNotRun(agent)}`);
  const { start, env, play } = await scene(options);
  const startedAt = Date.now();
  const exit = await runProgram({
    command: program[0],
    args: [...program.slice(1), ...agent.args(start), ...(options.extraArgs ?? [])],
    cwd,
    env: { ...env, ...options.env },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    logs: join(root, "logs", `${startedAt}-${agent.name}`),
  });
  const sessionId = agent.sessionId({ ...start, stdout: exit.stdout, startedAt });
  const transcriptPath = sessionId && agent.transcript(start, sessionId);
  return {
    ...exit,
    requests: play.requests,
    unplayed: play.unplayed,
    overrun: play.overrun,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(transcriptPath ? { transcriptPath } : {}),
  };
}

/** Sets up everything around an agent that is about to start: its model, its home, its environment. */
export async function scene(options: Launch) {
  const { root, home, cwd, prompt, resume } = options;
  const agent = options.release ?? AGENTS[options.agent];
  const server = await modelServer();
  await prepareHome(options.agent, options);
  mkdirSync(join(root, "tmp"), { recursive: true });
  const script = "turns" in options.script ? options.script : { turns: options.script };
  const key = keyOf(agent.name, home);
  const play = server.play(key, inNativeWords(script, agent, cwd));
  const start = {
    root,
    home,
    cwd,
    prompt,
    modelUrl: server.urlFor(key),
    consent: { folder: true, hooks: true, ...options.consent },
    ...(resume === undefined ? {} : { resume }),
  };
  return { start, play, env: { ...baseEnv(options, server.url), ...agent.env(start) } };
}

/** Writes what the agent needs to find the scripted model. What is already there stays. */
export async function prepareHome(name: AgentName, place: Place): Promise<void> {
  const server = await modelServer();
  const files = AGENTS[name].files(place, server.urlFor(keyOf(name, place.home)));
  for (const [path, content] of Object.entries(files)) {
    const file = join(place.home, path);
    if (existsSync(file)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`,
    );
  }
}

/** Which model an agent hears depends on its home, so that a resumed session finds it again. */
function keyOf(name: AgentName, home: string): string {
  return `${name}-${createHash("sha256").update(home).digest("hex").slice(0, 12)}`;
}

/** Nothing of the machine's own: no home, no keys, and no way out but to the scripted model. */
function baseEnv({ root, home }: Place, proxy: string): Record<string, string> {
  const nowhere = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.1,localhost" };
  const lower = Object.entries(nowhere).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    PATH: [ripgrepFolder(), dirname(process.execPath), process.env.PATH].join(":"),
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    TMPDIR: join(root, "tmp"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    ...nowhere,
    ...Object.fromEntries(lower),
  };
}
