import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { messageOf, SeamError } from "../errors/index.ts";
import { type DaemonPlace, shortSocketPath } from "./place.ts";
import type { DaemonStatus } from "./status.ts";
import { readToken } from "./token.ts";

/** Asks the daemon something. Rejects if there is none. */
export function ask(
  place: DaemonPlace,
  method: string,
  path: string,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const token = readToken(place.token);
    const headers = { host: "seam", "x-seam-token": token ?? "" };
    // A connection that was kept may lead to a daemon that has ended.
    const asked = request({ ...address(place), method, path, headers, agent: false }, resolve);
    asked.once("error", reject);
    asked.end(body);
  });
}

/** A hook with its payload, from within this program. Resolves when it is kept. */
export async function sendHook(
  place: DaemonPlace,
  { agent, hook, pid, payload }: { agent: string; hook: string; pid: number; payload: unknown },
): Promise<void> {
  const query = new URLSearchParams({ agent, hook, pid: String(pid) });
  const body = JSON.stringify(payload);
  const response = await ask(place, "POST", `/v1/hook?${query}`, body);
  response.resume();
  if (response.statusCode !== 200) throw new Error(`the daemon answered ${response.statusCode}`);
}

/** Resolves when everything the daemon was told so far is recorded. */
export async function recorded(place: DaemonPlace): Promise<void> {
  await askForJson(place, "GET", "/v1/recorded");
}

/** The socket; the port where the socket's name is too long for the system. */
function address(place: DaemonPlace): { socketPath: string } | { host: string; port: number } {
  const socketPath = shortSocketPath(place);
  if (Buffer.byteLength(socketPath) <= 100) return { socketPath };
  return { host: "127.0.0.1", port: Number(readFileSync(place.port, "utf8")) };
}

async function askForJson(place: DaemonPlace, method: string, path: string): Promise<unknown> {
  const response = await ask(place, method, path);
  let text = "";
  for await (const part of response as AsyncIterable<Buffer>) text += part.toString("utf8");
  if (response.statusCode !== 200) throw new Error(text.trim());
  return JSON.parse(text);
}

/** Undefined if no daemon answers. */
export async function daemonStatus(place: DaemonPlace): Promise<DaemonStatus | undefined> {
  try {
    return (await askForJson(place, "GET", "/v1/status")) as DaemonStatus;
  } catch {
    return undefined;
  }
}

/** Lets the daemon find and load all extensions anew. False if there is none. */
export async function reloadDaemon(place: DaemonPlace): Promise<boolean> {
  try {
    await askForJson(place, "POST", "/v1/reload");
    return true;
  } catch {
    return false;
  }
}

/** Asks the daemon to end and waits until it has. False if there was none. */
export async function stopDaemon(place: DaemonPlace): Promise<boolean> {
  try {
    await askForJson(place, "POST", "/v1/stop");
  } catch (error) {
    if (await daemonStatus(place)) {
      throw new SeamError("SEAM_DAEMON_START", { detail: messageOf(error) });
    }
    return false;
  }
  while (await daemonStatus(place)) await new Promise((resolve) => setTimeout(resolve, 20));
  return true;
}
