/** What every git hook tells: see the script. */
interface FromGit {
  readonly cwd: string;
  readonly gitDir?: string;
  readonly indexFile?: string;
  /** git itself. */
  readonly pid: number;
  /** The hook, as long as git waits for it. */
  readonly hookPid?: number;
  /** What git will open for the message; git says ":" if it opens nothing. */
  readonly editor?: string;
}

/** A commit is about to be made: git waits, and its message can still be changed. */
export interface MessageRequest extends FromGit {
  readonly hook: "prepare-commit-msg" | "commit-msg";
  readonly args: readonly string[];
}

/** A commit was made. */
export interface CommitRequest extends FromGit {
  readonly hook: "post-commit";
  /** Undefined where the script could not find out which one. */
  readonly commit?: string;
}

/** Commits became others, by an amend or a rebase. */
export interface RewriteRequest extends FromGit {
  readonly hook: "post-rewrite";
  readonly rewritten: readonly Rewrite[];
}

interface Rewrite {
  readonly from: string;
  readonly to: string;
}

export type GitRequest = MessageRequest | CommitRequest | RewriteRequest;

/** Reads what the script sends, and what `writeGitRequest` made of it. */
export function parseGitRequest(hook: string, text: string): GitRequest | undefined {
  const read = readFields(text);
  if (!read) return undefined;
  const { from, args, input } = read;
  switch (hook) {
    case "prepare-commit-msg":
    case "commit-msg":
      return { hook, ...from, args };
    case "post-commit": {
      const commit = input.trim();
      return { hook, ...from, ...(commit !== "" && { commit }) };
    }
    case "post-rewrite":
      return { hook, ...from, rewritten: rewritesIn(input) };
    default:
      return undefined;
  }
}

/** A request as the script would have sent it: so it is kept in the journal. */
export function writeGitRequest(request: GitRequest): string {
  const { cwd, gitDir = "", indexFile = "", pid, hookPid, editor = "" } = request;
  const about = hookPid === undefined ? `${pid}` : `${pid} ${hookPid} ${editor}`;
  const args =
    request.hook === "prepare-commit-msg" || request.hook === "commit-msg" ? request.args : [];
  const fields = [cwd, gitDir, indexFile, about, `${args.length}`, ...args];
  return fields.map((field) => `${field}\0`).join("") + inputOf(request);
}

function inputOf(request: GitRequest): string {
  if (request.hook === "post-commit") return request.commit ?? "";
  if (request.hook !== "post-rewrite") return "";
  return request.rewritten.map(({ from, to }) => `${from} ${to}\n`).join("");
}

function rewritesIn(input: string): Rewrite[] {
  return input.split("\n").flatMap((line) => {
    const [from, to] = line.split(" ");
    return from && to ? [{ from, to }] : [];
  });
}

/** Fields that end with NUL, then what git gave the hook to read. */
function readFields(bytes: string) {
  // What comes through the spool has a blank before it.
  const text = bytes.trimStart();
  const fields: string[] = [];
  let at = 0;
  const field = () => {
    const end = text.indexOf("\0", at);
    if (end < 0) return undefined;
    const value = text.slice(at, end);
    at = end + 1;
    return value;
  };
  for (let i = 0; i < 5; i++) {
    const value = field();
    if (value === undefined) return undefined;
    fields.push(value);
  }
  const [cwd = "", gitDir, indexFile, about = "", count] = fields;
  // Hook scripts of an older Seam send only the first of these.
  const [, pid, hookPid, editor] = /^(\d+)(?: (\d+) (.*))?$/s.exec(about) ?? [];
  const args: string[] = [];
  for (let i = 0; i < Number(count); i++) {
    const value = field();
    if (value === undefined) return undefined;
    args.push(value);
  }
  if (cwd === "") return undefined;
  const from: FromGit = {
    cwd,
    ...(gitDir && { gitDir }),
    ...(indexFile && { indexFile }),
    pid: Number(pid) || 0,
    ...(hookPid !== undefined && { hookPid: Number(hookPid) }),
    ...(editor && { editor }),
  };
  return { from, args, input: text.slice(at) };
}
