import type { ForeignAgent } from "../agent.ts";

/** In every file that Seam has put something into. */
export const MARK = "agentseam";

/** At the end of every command of Seam's: by this its entries are found again. */
export const MARKER = `# ${MARK}`;

/**
 * The command an agent runs for a hook. On a machine without Seam it does nothing and lets all
 * pass, so it can be committed. The variable has a long name because Gemini CLI replaces `$name`
 * in its settings by what its own environment holds. An environment without HOME must not be a way
 * round the gates: then the system is asked where the user lives.
 */
export function hookCommand(agent: ForeignAgent, hook: string): string {
  const client = `seam_hook="\${SEAM_HOME:-$HOME/.seam}/bin/hook"`;
  const homeless = `[ "$HOME$SEAM_HOME" ] || eval "seam_hook=~$(id -un)/.seam/bin/hook"`;
  return `${client}; ${homeless}; [ -x "$seam_hook" ] && exec "$seam_hook" ${agent} ${hook}; exit 0 ${MARKER}`;
}

/** For agents that may not run commands through a POSIX shell. */
export function inPosixShell(command: string): string {
  const [script = ""] = command.split(` ${MARKER}`);
  return `sh -c '${script}' ${MARKER}`;
}

export function isOurs(command: unknown): boolean {
  return typeof command === "string" && command.includes(MARKER);
}
