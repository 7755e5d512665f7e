import { delimiter, isAbsolute, normalize } from "node:path";

/**
 * What git sets for its hooks, and agents for theirs: whoever was started by one of them may serve
 * others too, and starts agents that must not take themselves for a part of that one.
 */
const OTHERS = [
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|EXEC_PATH|GRAFT_FILE|IMPLICIT_WORK_TREE)$/,
  /^GIT_(INDEX_FILE|INTERNAL_SUPER_PREFIX|NAMESPACE|NO_REPLACE_OBJECTS|OBJECT_DIRECTORY|PREFIX)$/,
  /^GIT_(QUARANTINE_PATH|REFLOG_ACTION|REPLACE_REF_BASE|SHALLOW_FILE|WORK_TREE)$/,
  /^SEAM_(CREW_ATTEMPT|CREW_RING|SLOT|PORT_BASE)$/,
  /^CLAUDECODE$|^CLAUDE_(CODE_SESSION|CODE_ENTRYPOINT|CODE_CHILD|EFFORT|ENV_FILE|PROJECT_DIR)/,
];

/** What is in an environment because of the one hook or agent that this process was started by. */
export function namesOfOthers(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).filter((name) => OTHERS.some((pattern) => pattern.test(name)));
}

/** The user's own environment, as far as it is known from a process of theirs. */
export function userEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const others = new Set([...namesOfOthers(env), "NODE_OPTIONS", "VSCODE_INSPECTOR_OPTIONS"]);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || others.has(name) ? [] : [[name, value]],
    ),
  );
}

/**
 * Variables that lead programs to other programs, libraries or settings. An agent may have them from
 * the folder it works in: Claude Code takes them from a committed file.
 */
const LEADING = [
  /^(LD|DYLD|OPENSSL)_/,
  /^NODE_(OPTIONS|PATH)$/,
  /^GIT_(ASKPASS|ATTR|CONFIG|EDITOR|EXEC|EXTERNAL|PAGER|PROXY|SEQUENCE|SSH|TEMPLATE|TRACE)/,
  /^(BASH_ENV|ENV|PERL5LIB|PERL5OPT|PYTHON(HOME|PATH|STARTUP)|RUBYLIB|RUBYOPT)$/,
  /^(HOME|XDG_CONFIG_HOME|XDG_CONFIG_DIRS|XDG_DATA_HOME)$/,
  /^(BROWSER|EDITOR|PAGER|SHELL|SSH_ASKPASS|VISUAL)$/,
];

const isLeading = (name: string) => LEADING.some((pattern) => pattern.test(name));

/** The part of a person's environment by which a daemon that an agent starts goes as well. */
export function leadingPart(env: NodeJS.ProcessEnv): Record<string, string> {
  const leading = Object.entries(env).filter(([name]) => name === "PATH" || isLeading(name));
  return userEnvironment(Object.fromEntries(leading));
}

/**
 * Makes an environment that an agent may have given lead nowhere but where the person's own does.
 * `noted`: the leading part of the person's; undefined if that was never noted.
 */
export function followPerson(
  env: NodeJS.ProcessEnv,
  noted: Readonly<Record<string, string>> | undefined,
): void {
  const given = { ...env };
  for (const name of Object.keys(given)) if (isLeading(name)) delete env[name];
  const folders = [noted?.PATH, given.PATH].flatMap((path) => path?.split(delimiter) ?? []);
  env.PATH = [...new Set(folders.filter(isFixed))].join(delimiter);
  if (noted) {
    Object.assign(env, { ...noted, PATH: env.PATH });
    return;
  }
  // Without the person's word those stay that every program needs, unless they lead into the folder.
  for (const name of ["HOME", "XDG_CONFIG_HOME", "SHELL"]) {
    const value = given[name];
    if (value !== undefined && isFixed(value)) env[name] = value;
  }
}

/** Whether a path means the same folder for every process, wherever it runs. */
function isFixed(path: string): boolean {
  return isAbsolute(path) && !/^\/+(proc|dev\/fd)(\/|$)/.test(normalize(path));
}

const LOADING = /^((LD|DYLD|OPENSSL)_.*|NODE_(OPTIONS|PATH)|VSCODE_INSPECTOR_OPTIONS)$/;

/** Without what would make Node load a library or a module before Seam's own code runs. */
export function withoutLoading(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LOADING.test(name)));
}
