/** Git hooks Seam needs. Their names are those of git. */
export const GIT_HOOKS = [
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-rewrite",
  "pre-push",
] as const;

export type GitHookName = (typeof GIT_HOOKS)[number];

/** Seam recognizes its own hook scripts by this mark, and rewrites one with another version. */
export const MARKER = "# agentseam";
const VERSION = 10;

/** Suffix of the hook that was there before; it is run first. */
export const BEFORE_SUFFIX = ".pre-seam";

/** Suffix of a hook that rests: git finds none of that name and starts no shell for it. */
export const RESTING_SUFFIX = ".seam-resting";

/** The name that git knows a hook by, whether it rests or not. Only hooks of Seam's rest. */
export function awakeName(file: string, text: string): string {
  const rests = file.endsWith(RESTING_SUFFIX) && text.includes(MARKER);
  return rests ? file.slice(0, -RESTING_SUFFIX.length) : file;
}

/**
 * Hooks that have nothing to do before one of these files is in Seam's folder: they rest until
 * prepare-commit-msg, which git runs before them, or a prompt finds one. They do not go to rest
 * again: a hook that vanishes when git has just found it makes another commit fail.
 */
export const MARKS: Readonly<Partial<Record<GitHookName, readonly string[]>>> = {
  // Only where there was no message when the trailer was put into it.
  "commit-msg": ["check-message"],
  "post-commit": ["pending", "redone"],
};

const isMarked = (marks: readonly string[]) =>
  marks.map((mark) => `[ -e "$s/${mark}" ]`).join(" || ");

/**
 * Whether nothing that an agent committed of late can come back with a commit: there is none, or
 * HEAD and what was reset last are what they were when HEAD had all of it.
 */
const STAYS = `stays() {
  [ -e "$s/recent" ] || return 0
  g=\${GIT_DIR:-.git} m=$g/seam/seen a= b= c= d=
  IFS= read -r a <"$g/HEAD"
  IFS= read -r b <"$g/ORIG_HEAD"
  { IFS= read -r c && IFS= read -r d; } <"$m"
  [ "$a $b" = "$c $d" ] && [ ! "$g/ORIG_HEAD" -nt "$m" ] && [ ! "$s/recent" -nt "$m" ]
} 2>/dev/null`;

/**
 * When there is something for Seam to do, in shell built-ins alone: in a repository where no agent
 * works a commit must not notice Seam. `$s` is Seam's folder in the repository.
 */
const CONCERNS: Record<GitHookName, string> = {
  // An amended message is given anew, so it lost its trailer; a squashed one has several.
  "prepare-commit-msg": `${STAYS}
case "$2" in
  squash) ;;
  message)
    if [ ! -e "$s/pending" ] && [ ! -e "\${GIT_DIR:-.git}/SQUASH_MSG" ]; then
      c=
      [ -r "/proc/$PPID/cmdline" ] &&
        while IFS= read -r a || [ -n "$a" ]; do c=$c$a; done 2>/dev/null <"/proc/$PPID/cmdline"
      case "$c" in *--am*) ;; *) stays && exit 0 ;; esac
    fi ;;
  *) [ ! -e "$s/pending" ] && stays && exit 0 ;;
esac`,
  "commit-msg": "",
  // The commit is named here: HEAD may be elsewhere when the daemon hears of it.
  "post-commit": `i=
IFS= read -r i 2>/dev/null <"\${GIT_DIR:-.git}/HEAD"
case "$i" in "ref: "*)
  r=\${i#ref: }
  i=
  IFS= read -r i 2>/dev/null <"$s/../$r" ;;
esac`,
  "post-rewrite": `[ -d "$s/sessions" ] || exit 0`,
  "pre-push": `[ -e "$s/sync-on-push" ] || exit 0`,
};

const READS_STDIN: ReadonlySet<GitHookName> = new Set(["post-rewrite", "pre-push"]);

/** Hooks that have something to say besides their arguments. */
const TELLS: ReadonlySet<GitHookName> = new Set([...READS_STDIN, "post-commit"]);

/** Nothing git does depends on these, so it need not wait for them. */
const NOT_AWAITED: ReadonlySet<GitHookName> = new Set(["post-commit"]);

export interface ScriptPlace {
  /** Shell expression for Seam's folder in the repository. */
  readonly seamDir: string;
  /** Shell commands that set `$b` to the hook that was there before. */
  readonly before: string;
  /** Whether hooks of Seam's rest here. */
  readonly rests: boolean;
}

/** The script of one hook: what was there first, then word to the daemon. Never fails by itself. */
export function hookScript(hook: GitHookName, { seamDir, before, rests }: ScriptPlace): string {
  const stdin = READS_STDIN.has(hook);
  const marks = MARKS[hook];
  const steps = [
    ...(marks ? [`${isMarked(marks)} || exit 0`] : []),
    CONCERNS[hook],
    hook === "pre-push" ? SYNC : tellDaemon(hook),
    ...(rests && hook === "prepare-commit-msg" ? [WAKE] : []),
  ];
  return `#!/bin/sh
${MARKER} ${VERSION}: links commits to the agent sessions behind them. "seam disable" takes it out.
${before}
${stdin ? runBeforeWithInput : runBefore}
s=${seamDir}
${steps.filter((step) => step !== "").join("\n")}
exit 0
`;
}

/** What another tool put in the place of a hook that rests stays there. */
const WAKE = `wake() {
  [ -e "\${0%/*}/$1" ] || [ ! -e "\${0%/*}/$1${RESTING_SUFFIX}" ] ||
    mv -n "\${0%/*}/$1${RESTING_SUFFIX}" "\${0%/*}/$1" 2>/dev/null
}
${Object.entries(MARKS)
  .map(([hook, marks]) => `if ${isMarked(marks)}; then wake ${hook}; fi`)
  .join("\n")}`;

/**
 * Tells the daemon through the hook client. Where that could not be compiled, this does what the client
 * does with a process less for each step, because a person waits for the commit: what is to be told lies
 * in the spool before the daemon is rung, so it is not lost if nobody answers. What git does not wait
 * for lies there in any case: the next prompt may reach the daemon before the client has started.
 */
function tellDaemon(hook: GitHookName): string {
  const input = TELLS.has(hook) ? ` printf '%s' "$i";` : "";
  return `h="\${SEAM_HOME:-$HOME/.seam}"
[ -x "$h/bin/hook" ] || exit 0
tell() { printf '%s\\0' "$PWD" "\${GIT_DIR-}" "\${GIT_INDEX_FILE-}" "$PPID $$ \${GIT_EDITOR-}" "$#" "$@";${input} }
f=git~${hook}~$PPID~$$~0
ring() {
  if [ -n "$f" ]; then
    (cd "$h/run" && PERL5OPT='' PERL_UNICODE=0 PERL_BADLANG=0 exec perl ../bin/ring.pl "/v1/ring/$f" '')
    case $? in 0 | 198) return ;; esac
    rm -f "$h/run/spool/$f"
  fi
  tell "$@" | "$h/bin/hook" git ${hook}
}
set -C
${NOT_AWAITED.has(hook) ? "" : '[ ! -e "$h/run/compiled" ] && '}[ -S "$h/run/daemon.sock" ] && { tell "$@" >"$h/run/spool/$f"; } 2>/dev/null || f=
${NOT_AWAITED.has(hook) ? BEHIND : `ring "$@" >/dev/null 2>&1`}`;
}

/** The braces matter: without them the shell keeps its output open, and whoever reads it waits. */
const BEHIND = `{ ring "$@"; } >/dev/null 2>&1 </dev/null &`;

/** The user asked for checkpoints to go along: in the user's own environment, with the user's keys. */
const SYNC = `{ IFS= read -r n && IFS= read -r p; } <"$s/sync-on-push"
[ -x "$n" ] && [ -e "$p" ] || exit 0
unset GIT_DIR GIT_INDEX_FILE
"$n" "$p" sync "$1" --push --yes </dev/null >&2`;

const runBefore = `if [ -x "$b" ]; then "$b" "$@" || exit $?; fi`;

/** Both the user's hook and Seam's read what git writes to the hook. */
const runBeforeWithInput = `i=$(cat; echo .); i=\${i%.}
if [ -x "$b" ]; then printf '%s' "$i" | "$b" "$@" || exit $?; fi`;

/** Runs the user's hook that Seam itself does not need, where Seam's folder replaces the user's. */
export function passOnScript(before: string): string {
  return `#!/bin/sh
${MARKER} ${VERSION}: runs the hook that was there before.
${before}
[ -x "$b" ] && exec "$b" "$@"
exit 0
`;
}
