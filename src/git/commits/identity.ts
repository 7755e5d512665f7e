import { plain, type Signature } from "../objects/commit-format.ts";
import { configOf, type GitConfig } from "../repo/config.ts";
import type { Repo } from "../repo/repo.ts";

const NOBODY = { name: "Seam", email: "seam@localhost" } as const;

/**
 * Who works on this machine, as far as git was told: the committer, because inside a hook git sets
 * the author to whoever wrote the commit. A guess from the names of user and machine is not made.
 */
export async function identityOf(repo: Repo, now = new Date()): Promise<Signature> {
  const config = await configOf(repo);
  const name = plain(setting(config, "name") ?? "");
  const email = plain(setting(config, "email") ?? process.env.EMAIL ?? "");
  return {
    ...(name && email ? { name, email } : NOBODY),
    time: Math.floor(now.getTime() / 1000),
    offset: 0 - now.getTimezoneOffset(),
  };
}

function setting(config: GitConfig, key: "name" | "email"): string | undefined {
  const variable = process.env[`GIT_COMMITTER_${key.toUpperCase()}`];
  return variable || config.get(`committer.${key}`) || config.get(`user.${key}`);
}
