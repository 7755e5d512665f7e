/** The mark in every file that Seam has put something into. */
export const MARK = "agentseam";

/** The end of every command of Seam's, by which Seam finds its entries again. */
export const MARKER = `# ${MARK}`;

/** What can stand between double quotes in a shell, also inside single ones, and in Gemini CLI's settings. */
const PLAIN_PATH = /^\/[^"'`$\\\n]*$/;

/**
 * The command an agent runs for a hook. In a file of the user's own it names the client by its path:
 * a project can give agents an environment in which SEAM_HOME and HOME lead elsewhere.
 */
export function hookCommand(agent: string, hook: string, client?: string): string {
  const find =
    client !== undefined && PLAIN_PATH.test(client) ? `seam_hook="${client}"` : FIND_CLIENT;
  return `${find}; [ -x "$seam_hook" ] && exec "$seam_hook" ${agent} ${hook}; exit 0 ${MARKER}`;
}

/**
 * For files that may be committed: on a machine without Seam the command does nothing and lets all
 * pass. The variable has a long name because Gemini CLI replaces `$name` in its settings by what its
 * own environment holds. An environment without HOME must not be a way round the gates: then the
 * system is asked where the user lives.
 */
const FIND_CLIENT = [
  `seam_hook="\${SEAM_HOME:-$HOME/.seam}/bin/hook"`,
  `[ "$HOME$SEAM_HOME" ] || eval "seam_hook=~$(id -un)/.seam/bin/hook"`,
].join("; ");

/** For agents that may not run commands through a POSIX shell. */
export function inPosixShell(command: string): string {
  const [script = ""] = command.split(` ${MARKER}`);
  return `sh -c '${script}' ${MARKER}`;
}

export function isOurs(command: unknown): boolean {
  return typeof command === "string" && command.includes(MARKER);
}
