import type { ExtensionAPI, ExtensionContext } from "agentseam";

/**
 * Asks before the conversation on the screen is replaced: by a new session, another one, or a
 * fork. An empty conversation is let go without a question; with nobody to ask, nothing is held up.
 *
 * Shows: the gates `session_before_switch` and `session_before_fork`, `ctx.ui.confirm`.
 *
 * @example
 * seam run -e extensions/confirm-destructive.ts --mode rpc
 */
export default function confirmDestructive(pi: ExtensionAPI) {
  pi.on("session_before_switch", ({ reason }, ctx) =>
    ask(reason === "new" ? "Start a new session?" : "Open another session?", ctx),
  );
  pi.on("session_before_fork", (_event, ctx) => ask("Fork this session?", ctx));
}

async function ask(title: string, { hasUI, ui, sessionManager }: ExtensionContext) {
  const messages = sessionManager.getBranch().filter(({ type }) => type === "message").length;
  if (!hasUI || messages === 0) return;
  const file = sessionManager.getSessionFile();
  const fate = file ? `It is kept in ${file}.` : "It is in memory only and will be lost.";
  if (!(await ui.confirm(title, `This one has ${messages} messages. ${fate}`))) {
    return { cancel: true };
  }
}
