type Words = readonly string[];

/** Whether a subcommand of git leaves everything as it is with these words behind it. */
type Looks = (words: Words) => boolean;

/** Options that write a file or start a program, also where git is given only their beginning. */
const ACTS = /^--(out(put(?!-indicator))?(=|$)|ext-d|text|filter|open|edit|exec|upload|contents)/;

const looks: Looks = (words) => !words.some((word) => ACTS.test(word));

/** Lists as long as nothing but these options is there; names only where it is told to list. */
const lists =
  (options: RegExp, listing: RegExp): Looks =>
  (words) =>
    words.every((word) => !word.startsWith("-") || options.test(word)) &&
    (words.every((word) => word.startsWith("-")) || words.some((word) => listing.test(word)));

const LISTING = /^(-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)(=|$)/;

const GIT: Readonly<Record<string, Looks>> = {
  blame: looks,
  branch: lists(
    /^(-[arv]+|--all|--remotes|--show-current|--(sort|format|column|color)(=.*)?|-l|--list|--(no-)?(contains|merged)|--points-at)(=.*)?$/,
    LISTING,
  ),
  "cat-file": looks,
  config: (words) => {
    const rest = words.filter((word) => !CONFIG_SCOPE.test(word));
    const [verb = "", ...names] = rest;
    return CONFIG_VERB.test(verb) && names.every((word) => !word.startsWith("-"));
  },
  "count-objects": looks,
  describe: looks,
  diff: looks,
  "diff-tree": looks,
  "for-each-ref": looks,
  grep: (words) => looks(words) && !words.some((word) => /^-[a-zA-Z]*O/.test(word)),
  log: looks,
  "ls-files": looks,
  "ls-tree": looks,
  "merge-base": looks,
  "name-rev": looks,
  reflog: (words) => looks(words) && !/^(expire|delete|drop|write)$/.test(words[0] ?? ""),
  remote: (words) =>
    words.every((word) => /^(-v|--verbose)$/.test(word)) ||
    (/^(get-url|show)$/.test(words[0] ?? "") && words.every((word) => !word.startsWith("--"))),
  "rev-list": looks,
  "rev-parse": looks,
  shortlog: looks,
  show: looks,
  stash: (words) => looks(words) && /^(list|show)$/.test(words[0] ?? ""),
  status: looks,
  tag: lists(
    /^(-n\d*|-i|--ignore-case|--(sort|format|column|color)(=.*)?|-l|--list|--(no-)?(contains|merged)|--points-at)(=.*)?$/,
    LISTING,
  ),
  version: looks,
  worktree: (words) => words[0] === "list",
};

const CONFIG_SCOPE =
  /^(--global|--local|--system|--worktree|--show-origin|--show-scope|-z|--null|--name-only|--includes|--type=.*|--all|--regexp)$/;
const CONFIG_VERB = /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|get|list)$/;

/** Options of git before its subcommand that change nothing but where it looks. */
const GIT_OPTION = /^(--no-pager|-P|--no-optional-locks|--version|--literal-pathspecs)$/;

/** Whether git only looks: a subcommand that nobody lists here may be anything, an alias too. */
export function readsGit(words: Words): boolean {
  const at = words.findIndex((word) => !GIT_OPTION.test(word));
  const verb = at < 0 ? undefined : words[at];
  if (verb === undefined) return words.length > 0;
  return Object.hasOwn(GIT, verb) && GIT[verb]?.(words.slice(at + 1)) === true;
}
