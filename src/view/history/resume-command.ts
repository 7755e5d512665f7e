import { homedir } from "node:os";
import { SeamError } from "../../errors/index.ts";
import { findSessions, type RepoRecord, resume } from "../../record/index.ts";
import type { ResumeCommand } from "../api-history.ts";

/** Gives a session back to its agent, and says how to go on with it. */
export async function resumeCommand(record: RepoRecord, session: string): Promise<ResumeCommand> {
  const found = await findSessions(record, session);
  const one = found.find(({ session_id }) => session_id === session) ?? found[0];
  if (!one) throw new SeamError("SEAM_RECORD_NO_SESSION", { name: session });
  const { command, folder } = await resume(record, one, { home: homedir(), env: process.env });
  return { command: command.map(quoted).join(" "), folder };
}

/** As a shell takes it for one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
