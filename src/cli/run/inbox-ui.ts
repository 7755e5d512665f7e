import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { AskRequest } from "../../daemon/index.ts";
import {
  type AskDialog,
  dialogs,
  type ExtensionUIContext,
  headlessUI,
} from "../../extensions/index.ts";
import { seamHome } from "../../settings/index.ts";

/**
 * The user interface of a run without a terminal of its own: dialogs are questions in the daemon's
 * inbox, for whoever is attached there. What is needed for that is loaded with the first question.
 */
export function inboxUI(
  cwd: string,
  sessionId: () => string,
  notify: ExtensionUIContext["notify"],
): { ui: ExtensionUIContext; isAttended: () => boolean } {
  const { ask, isAttended } = inboxAsk(cwd, sessionId);
  const ui: ExtensionUIContext = { ...headlessUI(), ...dialogs(ask), notify };
  return { ui, isAttended };
}

/** The way to ask there. */
export function inboxAsk(
  cwd: string,
  sessionId: () => string,
): { ask: AskDialog; isAttended: () => boolean } {
  const isAttended = () => existsSync(join(seamHome(), "run/inbox/attended"));
  const ask: AskDialog = async (dialog, options = {}) => {
    if (!isAttended()) return undefined;
    const { askInbox, daemonPaths } = await import("../../daemon/index.ts");
    const { signal, timeout, from = "", call } = options;
    const { options: choices, ...rest } = dialog;
    const question: AskRequest = {
      ...rest,
      ...(choices && { options: [...choices] }),
      key: randomUUID(),
      agent: "seam",
      session: sessionId(),
      cwd,
      by: from === "" ? "an extension" : shownName(from),
      ...(timeout !== undefined && { timeoutMs: timeout }),
      // People see the call itself, in full.
      ...(call && { message: call.reason, call: { tool: call.tool, input: call.input } }),
    };
    return askInbox(daemonPaths(), question, { isAttended, ...(signal && { signal }) });
  };
  return { ask, isAttended };
}

/** An extension as people know it: its file, or its folder. */
export function shownName(from: string): string {
  const file = basename(from, extname(from));
  return file === "index" ? basename(dirname(from)) : file;
}
