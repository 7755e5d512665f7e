import { isAbsolute } from "node:path";
import type { Reading } from "../../agents/index.ts";
import { type GitRequest, parseGitRequest } from "../../record/index.ts";
import type { Accepted } from "../journal/entry.ts";
import { laneOfSession } from "../record-queue.ts";
import { GIT } from "./git-hook-service.ts";

/** A hook as it came in. */
export type Incoming = Omit<Accepted, "payload">;

export function originOf({ agent, hook, payload, id, at }: Accepted) {
  return { agent, hook, entryId: id, at, ...(payload && { payload }) };
}

export function laneOf({ agent }: Accepted, reading?: Reading): string {
  return laneOfSession(agent, reading?.sessionId);
}

/** Where a hook happened, as far as that can be told before it is understood. */
export function folderOf({ cwd, payload }: Accepted): string | undefined {
  return typeof payload?.cwd === "string" && isAbsolute(payload.cwd) ? payload.cwd : cwd;
}

/** What a hook of git told that comes from the spool or the journal. */
export function gitRequestOf({ agent, hook, text }: Incoming): GitRequest | undefined {
  return agent === GIT ? parseGitRequest(hook, text) : undefined;
}
