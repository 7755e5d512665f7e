import type { Setting } from "../run/own-programs.ts";
import { gitError } from "../run/spawn-git.ts";
import { settingsOf } from "./config.ts";
import type { Repo } from "./repo.ts";

/** Keys that make git run a program in place of reaching a server, and what they are without. */
const PROGRAMS: readonly (readonly [key: RegExp, without: string])[] = [
  [/^remote\..+\.uploadpack$/s, "git-upload-pack"],
  [/^remote\..+\.receivepack$/s, "git-receive-pack"],
  [/^remote\..+\.vcs$/s, ""],
  // What git does without the setting: only some protocols are open to everyone.
  [/^protocol\.(?!(?:http|https|ssh|git|file)\.).+\.allow$/s, "user"],
  [/^protocol\.allow$/, "user"],
];

/**
 * Settings for a call of git that reaches a remote because the user asked for it. How to reach it
 * (ssh, credentials, proxies) is taken from the repository too, as `git fetch` does: people keep
 * the key of one project there. Programs that would run instead of a connection are not.
 */
export async function ownTransport(repo: Repo): Promise<Setting[]> {
  const { users, repositorys } = await settingsOf(repo);
  const named = [...repositorys.keys()].flatMap((key): Setting[] => {
    const without = PROGRAMS.find(([pattern]) => pattern.test(key))?.[1];
    if (without === undefined) return [];
    if (key.includes("=")) {
      throw gitError(["config"], repo.gitDir, `its configuration has a setting "${key}"`);
    }
    return [[key, users.get(key) ?? without]];
  });
  // Its addresses are commands.
  return [...named, ["protocol.ext.allow", users.get("protocol.ext.allow") ?? "never"]];
}
