import { basename } from "node:path";
import type { ExtensionAPI } from "agentseam";

/** Folders and files no agent may write to. */
const FOLDERS = [".git", "node_modules"];
const isSecret = (file: string) => /^\.env(\.|$)/.test(file) || /\.(pem|key)$/.test(file);

/**
 * Blocks writes to secrets, to git's own files and to installed packages. The model is told to
 * leave them as they are; a person, if there is one, sees a notice.
 *
 * Shows: the gate `tool_call` without a question, `ctx.ui.notify`.
 *
 * @example
 * seam run -e extensions/protected-paths.ts -p "Change the port"
 */
export default function protectedPaths(pi: ExtensionAPI) {
  pi.on("tool_call", (event, ctx) => {
    if (event.toolName !== "write" && event.toolName !== "edit") return;
    const path = String(event.input.path ?? "");
    const folder = path.split(/[\\/]/).find((part) => FOLDERS.includes(part));
    if (!folder && !isSecret(basename(path))) return;

    if (ctx.hasUI) ctx.ui.notify(`Blocked a write to ${path}`, "warning");
    return { block: true, reason: `${path} is protected. Leave it as it is.` };
  });
}
