import { resolve } from "node:path";
import { type AgentFolders, agentNamed, contentEntries } from "../../agents/index.ts";
import { SeamError } from "../../errors/index.ts";
import { readTranscript } from "../checkpoint/read-checkpoint.ts";
import { withoutBlanks } from "../checkpoint/without-history.ts";
import type { RepoRecord } from "../repo-record.ts";
import type { ResumableSession } from "./find-sessions.ts";

export interface Resumed {
  readonly session_id: string;
  readonly agent: string;
  /** Goes on with the session. */
  readonly command: readonly string[];
  /** Where the command is to be run. */
  readonly folder: string;
  /** Where the agent keeps the session. */
  readonly file?: string;
  /** False: what is there is as long or longer, and was left. */
  readonly written: boolean;
  /** Its subagents have transcripts of their own, which are not stored. */
  readonly hadSubagents: boolean;
  /** Secrets that were taken out and are not in it any more. */
  readonly redacted: number;
}

/** Gives a stored session back to its agent, and says how to go on with it. */
export async function resume(
  record: RepoRecord,
  session: ResumableSession,
  where: Pick<AgentFolders, "home" | "env">,
): Promise<Resumed> {
  const { repo, store } = record;
  const agent = agentNamed(session.agent ?? "");
  const { session_id, type, stored } = session;
  if (!agent) throw new SeamError("SEAM_RESUME_AGENT", { agent: type || "nobody" });
  if (repo.workTree === undefined) throw new SeamError("SEAM_RESUME_BARE", { path: repo.gitDir });
  const place: AgentFolders = { project: repo.workTree, ...where };
  const command = agent.sessions.resumeCommand(session_id);
  const known = { session_id, agent: agent.name, command };
  const own = record.states.latest(agent.name, session_id);
  const hasTranscript = stored !== undefined && stored.session.metadata.works_in === undefined;
  const home = own || hasTranscript ? undefined : homeOfGuest(record, session);
  if (home !== undefined) throw new SeamError("SEAM_RECORD_GUEST", { session: session_id, home });
  // Only this machine knows it, so its agent has it, in the work tree where it was at home.
  if (!hasTranscript) {
    const folder = own?.work_tree ?? repo.workTree;
    return { ...known, folder, written: false, hadSubagents: false, redacted: 0 };
  }
  const { checkpoint, session: part } = stored;
  const content = await readTranscript(store, checkpoint, part.index);
  if (!content) throw new SeamError("SEAM_RESUME_TRANSCRIPT", { checkpoint: checkpoint.id });
  const { ref, written } = await agent.sessions.write(place, {
    sessionId: session_id,
    agent: agent.name,
    project: place.project,
    ref: "",
    content: withoutBlanks(content),
  });
  const { token_usage, redactions = [] } = part.metadata;
  let hadSubagents = token_usage?.subagent_tokens !== undefined;
  if (!hadSubagents) {
    for (const { entry } of contentEntries(agent.transcript, content)) {
      hadSubagents ||= entry.subagent !== undefined;
    }
  }
  const redacted = redactions.reduce((sum, { count }) => sum + count, 0);
  return { ...known, folder: place.project, file: ref, written, hadSubagents, redacted };
}

/**
 * Where a session that only worked in this repository got its prompt. What is stored of that is a
 * path from the work tree it worked in, which need not be the one the user is in now.
 */
export function homeOfGuest(
  { repo, states }: RepoRecord,
  { session_id, works_in: told }: Pick<ResumableSession, "session_id" | "works_in">,
): string | undefined {
  const guest = states
    .all()
    .find((state) => state.session_id === session_id && state.works_in !== undefined);
  const works_in = told ?? guest?.works_in;
  const from = guest?.work_tree ?? repo.workTree ?? repo.gitDir;
  return works_in === undefined ? undefined : resolve(from, works_in);
}
