import type { ExtensionAPI, ExtensionContext } from "agentseam";

const MOST_SHOWN = 5;

/**
 * Keeps the session and the working tree together: asks before you leave the session that made
 * changes which are not committed yet. With nobody to ask, it refuses.
 *
 * Shows: `pi.exec` in the gates `session_before_switch` and `session_before_fork`, and a gate that
 * is closed unless someone opens it.
 *
 * @example
 * seam run -e extensions/dirty-repo-guard.ts --mode rpc
 */
export default function dirtyRepoGuard(pi: ExtensionAPI) {
  const guard = async (title: string, ctx: ExtensionContext) => {
    const changes = await uncommitted(pi, ctx);
    if (changes.length === 0) return;
    const shown = changes.slice(0, MOST_SHOWN).join("\n");
    const more = changes.length > MOST_SHOWN ? `\nand ${changes.length - MOST_SHOWN} more` : "";
    if (!ctx.hasUI) {
      pi.logger.warn(`${title} Refused: there are uncommitted changes.\n${shown}${more}`);
      return { cancel: true };
    }
    const go = await ctx.ui.confirm(title, `There are uncommitted changes:\n${shown}${more}`);
    if (!go) return { cancel: true };
  };

  pi.on("session_before_switch", (_event, ctx) => guard("Leave this session?", ctx));
  pi.on("session_before_fork", (_event, ctx) => guard("Fork this session?", ctx));
}

/** The lines of `git status`; none outside of a repository. */
async function uncommitted(pi: ExtensionAPI, { cwd, signal }: ExtensionContext) {
  const args = ["status", "--porcelain"];
  const { code, stdout } = await pi.exec("git", args, { cwd, signal, timeout: 10_000 });
  return code === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
}
