/**
 * What git sets for its hooks, or a user for one command, to point at one repository. The daemon is
 * often started from such a hook and must not take it for every repository it looks at later.
 * GIT_CONFIG_COUNT and its pairs stay: git never sets them, so they are the user's own settings.
 */
const OF_ONE_COMMAND = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_AUTHOR_DATE",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_NAME",
  "GIT_COMMITTER_DATE",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_EXTERNAL_DIFF",
  "GIT_GLOB_PATHSPECS",
  "GIT_GRAFT_FILE",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_LITERAL_PATHSPECS",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REFLOG_ACTION",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
] as const;

const ALWAYS = {
  // Reading must neither refresh the user's index nor hold its lock.
  GIT_OPTIONAL_LOCKS: "0",
  // Messages are looked at, so they must not be translated.
  LC_ALL: "C",
  // A partial clone would ask its server for every object that is not there.
  GIT_NO_LAZY_FETCH: "1",
  // Versions of git that do not know that, and everything else that would go out by itself.
  GIT_ALLOW_PROTOCOL: "none",
  // Nobody is there to be asked.
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment git is started in. What the caller asks for wins. */
export function gitEnvironment(asked: Environment = {}): NodeJS.ProcessEnv {
  return { ...withoutOneCommand(process.env), ...ALWAYS, ...asked };
}

/** For a program that is to find its repository by itself, whatever this process was started for. */
export function withoutOneCommand(env: Environment): NodeJS.ProcessEnv {
  const rest: NodeJS.ProcessEnv = { ...env };
  for (const name of OF_ONE_COMMAND) delete rest[name];
  return rest;
}
