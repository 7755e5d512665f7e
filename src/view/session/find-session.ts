import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { type Agent, agentNamed } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { isBelow, leadsOutside } from "../../files/index.ts";
import type { Repo } from "../../git/index.ts";
import {
  findCheckpoints,
  openRepoRecord,
  type RepoRecord,
  readTranscript,
  rememberedRepositories,
  type SessionState,
} from "../../record/index.ts";
import { repositoryOf } from "../open-repository.ts";

/** A session that somebody asks for, and what the hooks told of it. */
export interface SessionWish {
  readonly agent: string;
  readonly session: string;
  readonly transcript?: string;
  readonly cwd?: string;
  /** Its agent is in a turn. */
  readonly isWorking?: boolean;
}

/** Where a session is. */
export interface FoundSession {
  readonly agent: Agent;
  /** Its transcript on disk; else the one that was stored with a checkpoint. */
  readonly ref?: string;
  readonly stored?: { readonly content: Buffer; readonly name: string };
  readonly cwd?: string;
  readonly repo?: Repo;
  readonly state?: SessionState;
}

/**
 * Looks for a session where it most likely is: what the hooks say, the record of the repositories
 * that Seam knows, the folders where its agent keeps sessions, and at last what is stored in git.
 */
export async function findSession(wish: SessionWish): Promise<FoundSession> {
  const agent = agentNamed(wish.agent);
  if (!agent) throw new SeamError("SEAM_VIEW_SESSION", { session: wish.session });
  const home = wish.cwd === undefined ? undefined : await repositoryOf(wish.cwd);
  const known = rememberedRepositories().map(({ workTree }) => workTree);
  const folders = [...new Set([home?.workTree, wish.cwd, ...known])].filter(
    (one) => one !== undefined,
  );
  const told = wish.transcript;
  for (const folder of folders) {
    const repo = folder === home?.workTree ? home : await repositoryOf(folder);
    const state = repo && stateIn(repo, wish);
    const candidates = [told, state?.transcript_path, fileIn(agent, folder, wish.session)];
    const own = ownFolder(agent, folder);
    const ref = candidates.find((one) => one !== undefined && isThere(one, own));
    const isOwn = told !== undefined && folder === folders[0];
    if (!ref || (!state && !isOwn && ref === told)) continue;
    const cwd = wish.cwd ?? state?.work_tree ?? folder;
    return { agent, ref, cwd, ...(repo && { repo }), ...(state && { state }) };
  }
  if (told !== undefined && isThere(told, ownFolder(agent, wish.cwd ?? homedir()))) {
    return { agent, ref: told, ...(wish.cwd !== undefined && { cwd: wish.cwd }) };
  }
  const elsewhere = await anywhere(agent, wish.session, folders);
  if (elsewhere) return { agent, ...elsewhere };
  const stored = await storedSession(agent, wish, folders);
  if (stored) return stored;
  throw new SeamError("SEAM_VIEW_SESSION", { session: wish.session });
}

/** A key of a database is no path: only its agent knows whether the session is there. */
function isThere(ref: string, folder: string | undefined): boolean {
  const file = ref.startsWith("/") ? ref.replace(/[#?].*$/, "") : undefined;
  if (file === undefined) return true;
  return [ref, file].some(
    (path) =>
      statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isLinkOut(path, folder),
  );
}

/**
 * Whether a transcript is a link to a file that is not its agent's. Nobody follows it: whoever can
 * write to the agent's folder could have the page show any file.
 */
export function isLinkOut(path: string, folder: string | undefined): boolean {
  const isOwn = folder !== undefined && isBelow(path, folder);
  return leadsOutside(path, isOwn ? folder : dirname(path)) !== undefined;
}

/** Where an agent keeps the sessions of all projects. */
function ownFolder({ sessions }: Agent, project: string): string | undefined {
  try {
    return dirname(sessions.dir({ project, home: homedir(), env: process.env }));
  } catch {
    return undefined;
  }
}

function stateIn(repo: Repo, { agent, session }: SessionWish): SessionState | undefined {
  try {
    return openRepoRecord(repo).states.latest(agent, session);
  } catch {
    return undefined;
  }
}

function fileIn({ sessions }: Agent, project: string, session: string): string | undefined {
  try {
    return sessions.file({ project, home: homedir(), env: process.env }, session);
  } catch {
    return undefined;
  }
}

/** Also of a folder that Seam was never told of: the agent's own folders are looked through. */
async function anywhere(
  { sessions }: Agent,
  session: string,
  projects: readonly string[],
): Promise<Pick<FoundSession, "ref" | "cwd"> | undefined> {
  const folders = { home: homedir(), env: process.env, projects };
  const found = (await sessions.everywhere?.(folders).catch(() => [])) ?? [];
  const isIt = (one: (typeof found)[number]) =>
    one.parent === undefined && (one.sessionId ?? one.identify?.()) === session;
  // Those that are named after the session need no look into them.
  const named = found.find((one) => one.sessionId === session && one.parent === undefined);
  const one = named ?? found.find((each) => each.sessionId === undefined && isIt(each));
  return one && { ref: one.ref, ...(one.project !== undefined && { cwd: one.project }) };
}

async function storedSession(
  agent: Agent,
  { session }: SessionWish,
  folders: readonly string[],
): Promise<FoundSession | undefined> {
  for (const folder of folders) {
    const repo = await repositoryOf(folder);
    if (!repo) continue;
    const record = openRepoRecord(repo);
    try {
      const stored = await newestIn(record, session);
      if (stored) return { agent, stored, repo, cwd: folder };
    } catch {
      // It is not in this one.
    } finally {
      await record.store.close();
    }
  }
  return undefined;
}

async function newestIn(
  { store }: RepoRecord,
  session: string,
): Promise<FoundSession["stored"] | undefined> {
  const { checkpoints } = await findCheckpoints(store, session);
  for (const checkpoint of checkpoints) {
    for (const { index, metadata } of checkpoint.sessions) {
      if (metadata.session_id !== session) continue;
      const content = await readTranscript(store, checkpoint, index);
      if (content) return { content, name: `checkpoint ${checkpoint.id}` };
    }
  }
  return undefined;
}
