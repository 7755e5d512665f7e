/** What a git hook tells: see the script. */
export interface GitRequest {
  readonly cwd: string;
  readonly gitDir?: string;
  readonly indexFile?: string;
  /** git itself. */
  readonly pid: number;
  /** The hook, as long as git waits for it. */
  readonly hookPid?: number;
  /** What git will open for the message; git says ":" if it opens nothing. */
  readonly editor?: string;
  readonly args: readonly string[];
  /** What git gave the hook to read. */
  readonly input: string;
}

/** Reads what the script sends: fields that end with NUL, then what git said. */
export function parseGitRequest(bytes: Buffer | string): GitRequest | undefined {
  // What comes through the spool has a blank before it.
  const text = bytes.toString().trimStart();
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
  // Hooks that an older Seam put there tell the first of these alone.
  const [, pid, hookPid, editor] = /^(\d+)(?: (\d+) (.*))?$/s.exec(about) ?? [];
  const args: string[] = [];
  for (let i = 0; i < Number(count); i++) {
    const value = field();
    if (value === undefined) return undefined;
    args.push(value);
  }
  if (cwd === "") return undefined;
  return {
    cwd,
    ...(gitDir && { gitDir }),
    ...(indexFile && { indexFile }),
    pid: Number(pid) || 0,
    ...(hookPid !== undefined && { hookPid: Number(hookPid) }),
    ...(editor && { editor }),
    args,
    input: text.slice(at),
  };
}
