import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Reading } from "../agents/index.ts";
import type { EventName } from "../events/index.ts";
import type { Repo } from "../git/index.ts";
import { readShell, SHELL_UNKNOWN, type ShellCommand } from "../tools/index.ts";
import type { HookRecord } from "./recorder.ts";
import type { Guest } from "./session/guest.ts";
import type { SessionState } from "./session/state.ts";

/** What is to be recorded in a repository about a session that got its prompt in another one. */
export interface Visit {
  readonly repo: Repo;
  readonly record: HookRecord;
  readonly guest: Guest;
  /** The session was not there before in this turn. */
  readonly isFirst: boolean;
}

const TOUCHES: readonly EventName[] = ["tool_call", "tool_execution_start", "tool_execution_end"];
const ENDS: readonly EventName[] = ["agent_end", "session_start", "session_shutdown"];
/** After so many in one turn no more are looked at: a script goes through all repositories. */
const MOST_VISITED = 8;

/**
 * Sessions that work in other repositories, or other work trees, than the one where they got their
 * prompt. There, such a session has a state of its own, with the same prompt: so a commit that its
 * agent makes is linked to it. What it used, and its transcript, are recorded where it is at home.
 */
export class Visits {
  readonly #repoAt: (folder: string) => Promise<Repo | undefined>;
  /** By session: where it was in the turn under way, by git's folder. */
  readonly #visited = new Map<string, Map<string, Repo>>();

  constructor(repoAt: (folder: string) => Promise<Repo | undefined>) {
    this.#repoAt = repoAt;
  }

  /** Where else a hook has to be recorded. `state`: of the session, where it is at home. */
  async of(record: HookRecord, home: Repo, state: SessionState): Promise<Visit[]> {
    const { agent, reading, events } = record;
    if (!reading) return [];
    const key = `${agent}\0${reading.sessionId}`;
    const visited = this.#visited.get(key) ?? new Map<string, Repo>();
    const known = new Set(visited.keys());
    const isEnd = ENDS.some((name) => events.includes(name));
    const touched = isEnd ? [...visited.values()] : await this.#touched(record, home);
    if (isEnd) this.#visited.delete(key);
    else if (touched.length > 0) {
      for (const repo of touched) if (visited.size < MOST_VISITED) visited.set(repo.gitDir, repo);
      this.#visited.set(key, visited);
    }
    return touched
      .filter(({ gitDir }) => isEnd || visited.has(gitDir))
      .map((repo) => visitOf(record, { repo, home, state, isFirst: !known.has(repo.gitDir) }));
  }

  async #touched(record: HookRecord, home: Repo): Promise<Repo[]> {
    if (record.told.block) return [];
    const found = new Map<string, Repo>();
    for (const folder of record.touches ?? foldersElsewhere(record)) {
      const repo = await this.#repoAt(folder);
      if (repo?.workTree && repo.gitDir !== home.gitDir) found.set(repo.gitDir, repo);
    }
    return [...found.values()];
  }
}

function visitOf(
  record: HookRecord,
  {
    repo,
    home,
    state,
    isFirst,
  }: Omit<Visit, "record" | "guest"> & { home: Repo; state: SessionState },
): Visit {
  const { turn_prompt: prompt, started_at, scan, last_read, transcript_position, fork_of } = state;
  const { visiting: _, ...hook } = record;
  const { unasked: __, ...told } = record.reading ?? { sessionId: state.session_id };
  const reading = { ...told, ...(prompt !== undefined && { prompt }) };
  const works_in = relative(repo.workTree ?? repo.gitDir, home.workTree ?? home.gitDir);
  return {
    repo,
    isFirst,
    // The prompt is told with the first call that leads there.
    record: isFirst ? { ...hook, reading, events: ["agent_start", ...record.events] } : hook,
    guest: {
      works_in,
      ...(isFirst && {
        started_at,
        ...(scan !== undefined && { scan }),
        ...(last_read && { last_read }),
        ...(transcript_position !== undefined && { transcript_position }),
        ...(fork_of !== undefined && { fork_of }),
      }),
    },
  };
}

/** Folders of other repositories than its own in which a call writes or runs git. */
export function foldersElsewhere({
  reading,
  events,
  cwd: otherwise,
}: Pick<HookRecord, "reading" | "events" | "cwd">): string[] {
  const cwd = reading?.cwd ?? otherwise;
  const isCall = TOUCHES.some((name) => events.includes(name));
  if (!reading?.tools || cwd === undefined || !isCall) return [];
  const folders = foldersTouched(reading.tools, cwd);
  const root = folders.length > 0 ? rootOf(cwd) : undefined;
  return folders.filter((folder) => {
    const other = rootOf(folder);
    return other !== undefined && other !== root;
  });
}

/** The nearest folder with a repository, without a look at what it is. */
function rootOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The folders in which calls write or run git, as far as their input says so. */
function foldersTouched(tools: NonNullable<Reading["tools"]>, cwd: string): string[] {
  const folders = new Set<string>();
  for (const { name, input } of tools) {
    if ((name === "write" || name === "edit") && typeof input.path === "string") {
      folders.add(existingFolder(dirname(resolve(cwd, input.path))));
    } else if (name === "bash" && typeof input.command === "string") {
      for (const place of placesIn(input.command)) {
        if (!place.includes(SHELL_UNKNOWN)) folders.add(existingFolder(resolve(cwd, place)));
      }
    }
  }
  return [...folders];
}

function placesIn(command: string): string[] {
  const { commands, writes } = readShell(command);
  return [
    ...commands.filter(({ name }) => name === "git").map(folderOfGit),
    ...writes.map(({ path }) => dirname(path)),
  ];
}

/** `git -C folder` */
function folderOfGit({ args, dir }: ShellCommand): string {
  const at = args.findIndex(({ values }) => values[0] === "-C");
  const [folder = "."] = at < 0 ? [] : (args[at + 1]?.values ?? []);
  return resolve("/", dir) === dir || folder.startsWith("/")
    ? resolve(dir, folder)
    : `${dir}/${folder}`;
}

/** A folder that is about to be made is in the repository of the one above it. */
function existingFolder(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}
