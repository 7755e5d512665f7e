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
  { repo, store }: RepoRecord,
  session: ResumableSession,
  where: Pick<AgentFolders, "home" | "env">,
): Promise<Resumed> {
  const agent = agentNamed(session.agent ?? "");
  const { session_id, type, stored } = session;
  if (!agent) throw new SeamError("SEAM_RESUME_AGENT", { agent: type || "nobody" });
  if (repo.workTree === undefined) throw new SeamError("SEAM_RESUME_BARE", { path: repo.gitDir });
  const place: AgentFolders = { project: repo.workTree, ...where };
  const command = agent.sessions.resumeCommand(session_id);
  const known = { session_id, agent: agent.name, command, folder: repo.workTree };
  // Only this machine knows it, so its agent has it.
  if (!stored) return { ...known, written: false, hadSubagents: false, redacted: 0 };
  const { checkpoint, session: part } = stored;
  const { works_in } = part.metadata;
  if (works_in !== undefined) {
    const home = resolve(repo.workTree, works_in);
    throw new SeamError("SEAM_RECORD_GUEST", { session: session_id, home });
  }
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
  return { ...known, file: ref, written, hadSubagents, redacted };
}
