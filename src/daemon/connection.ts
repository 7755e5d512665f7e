import { readFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { inWords, SeamError } from "../errors/index.ts";
import { isRunning, pidIn, readText } from "../files/index.ts";
import { writeGitRequest } from "../record/index.ts";
import { type DaemonPaths, shortSocketPath } from "./daemon-paths.ts";
import type { DaemonStatus } from "./status.ts";
import { readToken } from "./token.ts";

/**
 * Nothing keeps the daemon's thread busy for this long: a daemon that is silent until then hangs.
 */
const SILENT_MS = 5_000;

interface Asking {
  readonly body?: string;
  /** Without it an answer may take as long as it takes. */
  readonly signal?: AbortSignal;
}

/** Asks the daemon something. Rejects if there is none. */
export function ask(
  paths: DaemonPaths,
  method: string,
  path: string,
  { body, signal }: Asking = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = begin(paths, method, path, signal);
    asked.once("response", resolve);
    asked.once("error", reject);
    asked.end(body);
  });
}

function begin(
  paths: DaemonPaths,
  method: string,
  path: string,
  signal?: AbortSignal,
): ClientRequest {
  const token = readToken(paths.token);
  const headers = { host: "seam", "x-seam-token": token ?? "" };
  // A connection that was kept may lead to a daemon that has ended.
  const agent = false as const;
  return request({ ...address(paths), ...(signal && { signal }), method, path, headers, agent });
}

/** Both sides speak for as long as they like. */
export interface Conversation {
  readonly say: ClientRequest;
  readonly hear: IncomingMessage;
}

/** Begins a conversation with a service of the daemon. Rejects if there is none. */
export function openConversation(paths: DaemonPaths, path: string): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const say = begin(paths, "POST", path);
    say.once("error", reject);
    say.once("response", (hear) => {
      if (hear.statusCode === 200) {
        // The reader of the answers reports how a conversation ended.
        say.on("error", () => {});
        resolve({ say, hear });
      } else {
        hear.resume();
        reject(new SeamError("SEAM_DAEMON_REFUSED", { detail: `it answered ${hear.statusCode}` }));
      }
    });
    say.flushHeaders();
  });
}

/** A hook with its payload, from within this program. Resolves when it is kept. */
export async function sendHook(
  paths: DaemonPaths,
  { agent, hook, pid, payload }: { agent: string; hook: string; pid: number; payload: unknown },
): Promise<string> {
  const query = new URLSearchParams({ agent, hook, pid: String(pid) });
  const body = JSON.stringify(payload);
  const response = await ask(paths, "POST", `/v1/hook?${query}`, { body });
  const text = await textOf(response);
  if (response.statusCode !== 200) throw new Error(`the daemon answered ${response.statusCode}`);
  return text;
}

/** A commit that Seam made itself, as git's hook would tell of it. Resolves when it is kept. */
export async function tellCommit(
  paths: DaemonPaths,
  { cwd, commit }: { readonly cwd: string; readonly commit: string },
): Promise<void> {
  const { pid } = process;
  const query = new URLSearchParams({ agent: "git", hook: "post-commit", pid: String(pid) });
  const body = writeGitRequest({ hook: "post-commit", cwd, pid, commit });
  const response = await ask(paths, "POST", `/v1/hook?${query}`, { body });
  response.resume();
  if (response.statusCode !== 200) throw new Error(`the daemon answered ${response.statusCode}`);
}

/** Resolves when everything the daemon was told so far is recorded. */
export async function recorded(paths: DaemonPaths): Promise<void> {
  await askForJson(paths, "GET", "/v1/recorded");
}

/** Deletes a session everywhere in the repository of a folder. Rejects with what went wrong. */
export async function forgetSession(
  paths: DaemonPaths,
  { cwd, session }: { cwd: string; session: string },
): Promise<void> {
  const query = new URLSearchParams({ cwd, session });
  await askForJson(paths, "POST", `/v1/forget?${query}`);
}

/** The socket; the port where the socket's name is too long for the system. */
function address(paths: DaemonPaths): { socketPath: string } | { host: string; port: number } {
  const socketPath = shortSocketPath(paths);
  if (Buffer.byteLength(socketPath) <= 100) return { socketPath };
  return { host: "127.0.0.1", port: Number(readFileSync(paths.port, "utf8")) };
}

async function askForJson(
  paths: DaemonPaths,
  method: string,
  path: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await ask(paths, method, path, { ...(signal && { signal }) });
  const text = await textOf(response);
  if (response.statusCode !== 200) throw new Error(text.trim());
  return JSON.parse(text);
}

/** All of a response's body. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Undefined if no daemon answers. */
export async function daemonStatus(paths: DaemonPaths): Promise<DaemonStatus | undefined> {
  const { status } = await lookForDaemon(paths);
  return status;
}

/** What the daemon says of itself, or the process of one that hangs; nothing if there is none. */
export async function lookForDaemon(
  paths: DaemonPaths,
): Promise<{ status?: DaemonStatus; silent?: number }> {
  const signal = AbortSignal.timeout(SILENT_MS);
  try {
    return { status: (await askForJson(paths, "GET", "/v1/status", signal)) as DaemonStatus };
  } catch {
    const silent = signal.aborted ? processOf(paths) : undefined;
    return silent === undefined ? {} : { silent };
  }
}

function processOf({ pid: file }: DaemonPaths): number | undefined {
  const pid = pidIn(readText(file) ?? "");
  return isRunning(pid) ? pid : undefined;
}

/** Lets the daemon find and load all extensions anew. False if there is none. */
export async function reloadDaemon(paths: DaemonPaths): Promise<boolean> {
  try {
    await askForJson(paths, "POST", "/v1/reload");
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks the daemon to end and waits until it has. One that hangs is killed: what it was told is kept,
 * and the next one goes on with it. "absent": there was none.
 */
export async function stopDaemon(paths: DaemonPaths): Promise<"ended" | "killed" | "absent"> {
  const signal = AbortSignal.timeout(SILENT_MS);
  const pid = processOf(paths);
  try {
    await askForJson(paths, "POST", "/v1/stop", signal);
  } catch (error) {
    const { status, silent } = await lookForDaemon(paths);
    if (silent !== undefined) return kill(silent);
    if (!status) return "absent";
    throw new SeamError("SEAM_DAEMON_START", { detail: inWords(error) });
  }
  while (await daemonStatus(paths)) await sleep(20);
  // The daemon releases its lock when everything is kept, right before its process ends.
  while (pid !== undefined && processOf(paths) === pid) await sleep(20);
  return "ended";
}

async function kill(pid: number): Promise<"killed"> {
  process.kill(pid, "SIGKILL");
  while (isRunning(pid)) await sleep(20);
  return "killed";
}
