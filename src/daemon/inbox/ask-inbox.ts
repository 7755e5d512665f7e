import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../values/index.ts";
import { ask, textOf } from "../connection.ts";
import type { DaemonPaths } from "../daemon-paths.ts";
import type { AskRequest } from "../people-service.ts";

const RETRY_MS = 300;

/**
 * Puts a question of this program into the daemon's inbox, and waits for the answer. While somebody
 * is there, a daemon that was killed is waited for: the next one has the same question. Undefined if
 * nobody answered.
 */
export async function askInbox(
  paths: DaemonPaths,
  question: AskRequest,
  { isAttended, signal }: { readonly isAttended: () => boolean; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  while (isAttended() && !signal?.aborted) {
    try {
      const body = JSON.stringify(question);
      const asking = { body, ...(signal && { signal }) };
      const response = await ask(paths, "POST", "/v1/inbox/ask", asking);
      const text = await textOf(response);
      const answer: unknown = JSON.parse(text);
      if (response.statusCode !== 200 || !isRecord(answer)) return undefined;
      return typeof answer.value === "string" ? answer.value : undefined;
    } catch {
      // There is no daemon at the moment.
    }
    await sleep(RETRY_MS, undefined, signal && { signal }).catch(() => {});
  }
  return undefined;
}
