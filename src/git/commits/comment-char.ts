import { configOf } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";

/**
 * What starts a comment line in a commit message. With "auto" git chooses one per message and tells
 * nobody; it is the usual one unless the message itself has lines that start with it.
 */
export async function commentCharOf(repo: Repo): Promise<string> {
  const config = await configOf(repo);
  const text = config.get("core.commentstring") ?? config.get("core.commentchar");
  return text === undefined || text === "" || text === "auto" ? "#" : text;
}
