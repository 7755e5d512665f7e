import { ERRORS, type ErrorCode, SeamError } from "../errors/index.ts";
import { isRecord } from "../values/index.ts";
import { ask, textOf } from "./connection.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import { launchDaemon } from "./launch.ts";

/**
 * Asks a service of the daemon, and starts the daemon if there is none. What the service refuses is
 * thrown here as the same error.
 */
export async function askService(
  paths: DaemonPaths,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<unknown> {
  const asking = body === undefined ? {} : { body: JSON.stringify(body) };
  const send = () => ask(paths, method, path, asking);
  const response = await send().catch(async () => {
    await launchDaemon(paths);
    return send();
  });
  const text = await textOf(response);
  if (response.statusCode === 200) return JSON.parse(text);
  throw refusalIn(text) ?? new SeamError("SEAM_DAEMON_REFUSED", { detail: text.trim() });
}

function refusalIn(text: string): SeamError | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (!isRecord(answer) || !isRecord(answer.details)) return undefined;
    const { code, details } = answer;
    if (typeof code !== "string" || !isCode(code)) return undefined;
    const named = Object.entries(details).filter(isDetail);
    return new SeamError(code, Object.fromEntries(named));
  } catch {
    return undefined;
  }
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

function isDetail(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === "string" || typeof entry[1] === "number";
}
