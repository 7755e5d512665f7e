import { readFile } from "node:fs/promises";
import { systemCode } from "../../errors/index.ts";
import type { AgentSession } from "./session-store.ts";

/** A session that is a file; undefined if it is not there. */
export async function readSessionFile(
  session: Omit<AgentSession, "content" | "ref">,
  path: string | undefined,
): Promise<AgentSession | undefined> {
  if (path === undefined) return undefined;
  try {
    return { ...session, ref: path, content: await readFile(path) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
