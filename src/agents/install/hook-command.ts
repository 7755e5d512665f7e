/** The mark in every file that Seam has put something into. */
export const MARK = "agentseam";

/** The end of every command of Seam's, by which Seam finds its entries again. */
export const MARKER = `# ${MARK}`;

/** What can stand between double quotes in a shell, also inside single ones, and in Gemini CLI's settings. */
const PLAIN_PATH = /^\/[^"'`$\\\n]*$/;

/** What may stand between single quotes in a shell, and means the same in a JSON text. */
const PLAIN_TEXT = /^[^'\\\n]*$/;

/** What a hook does where neither the client nor its spare is there. */
interface WithoutClient {
  readonly says?: string;
  /** It decides about tool calls. */
  readonly isGate?: boolean;
}

/**
 * The daemon leaves the list of folders whose gates close without it, and the answer for a Seam that is
 * gone: exit code in the first line, then what is printed. As the client does, this knows the folder with
 * and without links, and closes where the list cannot be read. It needs no other program, because a hook
 * of a Seam that is gone must not cost anything, and no single quotes, for `inPosixShell`.
 */
function closing(agent: string, hook: string): string {
  const print =
    'while IFS= read -r seam_line || [ "$seam_line" ]; do printf "%s\\n" "$seam_line"; done';
  const say = `[ -f "$seam_said.err" ] && { ${print}; } <"$seam_said.err" >&2; { read -r seam_code; ${print}; } <"$seam_said"; exit "$seam_code"`;
  // Not $PWD: Gemini CLI puts the folder's name in its place, which may be anything.
  const folders = "seam_here=$(pwd); seam_real=$(pwd -P)";
  // The last slash is not taken off in the pattern itself: bash gets an empty one wrong.
  const isListed = `while IFS= read -r seam_root; do seam_root=\${seam_root%/}; case "$seam_here/" in "$seam_root/"*) return 0;; esac; case "$seam_real/" in "$seam_root/"*) return 0;; esac; done <"$seam_list"; return 1`;
  const isClosed = `[ -e "$seam_list" ] || [ -L "$seam_list" ] || return; [ -f "$seam_list" ] && [ -r "$seam_list" ] || return 0; ${folders}; ${isListed}`;
  return [
    `seam_said="$seam_home/run/unavailable/${agent}.${hook}.removed"`,
    'seam_list="$seam_home/run/block"',
    `seam_closed() { ${isClosed}; }`,
    `[ -f "$seam_said" ] && seam_closed && { ${say}; }`,
  ].join("; ");
}

/**
 * The command an agent runs for a hook. In a file of the user's own it names Seam's folder by its path:
 * a project can give agents an environment in which SEAM_HOME and HOME lead elsewhere. Where the client
 * is gone, its spare answers and has it written again. Where both are gone, the command of a file of the
 * user's own closes the gates that must not be missing, or prints what is to be said then; a file that
 * may be committed also reaches machines that never had Seam.
 */
export function hookCommand(
  agent: string,
  hook: string,
  home?: string,
  { says = "", isGate = false }: WithoutClient = {},
): string {
  const isKnown = home !== undefined && PLAIN_PATH.test(home);
  const run = [
    isKnown ? `seam_home="${home}"` : FIND_HOME,
    'seam_hook="$seam_home/bin/hook"',
    '[ -x "$seam_hook" ] || seam_hook="$seam_home/spare/hook"',
    `[ -x "$seam_hook" ] && exec "$seam_hook" ${agent} ${hook}`,
    ...(isKnown && isGate ? [closing(agent, hook)] : []),
    ...(isKnown && says !== "" && PLAIN_TEXT.test(says) ? [`printf %s '${says}'`] : []),
    `exit 0 ${MARKER}`,
  ];
  return run.join("; ");
}

/**
 * For files that may be committed: on a machine without Seam the command does nothing and lets all
 * pass. The variable has a long name because Gemini CLI replaces `$name` in its settings by what its
 * own environment holds. An environment without HOME must not be a way round the gates: then the
 * system is asked where the user lives.
 */
const FIND_HOME = [
  `seam_home="\${SEAM_HOME:-$HOME/.seam}"`,
  `[ "$HOME$SEAM_HOME" ] || eval "seam_home=~$(id -un)/.seam"`,
].join("; ");

/** For agents that may not run commands through a POSIX shell. */
export function inPosixShell(command: string): string {
  const [script = ""] = command.split(` ${MARKER}`);
  return `sh -c '${script}' ${MARKER}`;
}

export function isOurs(command: unknown): boolean {
  return typeof command === "string" && command.includes(MARKER);
}
