import { openRepo } from "../../git/index.ts";
import {
  disableRecord,
  enableRecord,
  installGitHooks,
  isEnabled,
  removeGitHooks,
} from "../../record/index.ts";

/** Whether there is a repository here that can be recorded. */
export async function canRecordHere(): Promise<boolean> {
  return (await openRepo(process.cwd()))?.workTree !== undefined;
}

/** Starts the record of the repository here; undefined if there is none to record. */
export async function recordHere(): Promise<{ hooks: readonly string[] } | undefined> {
  const repo = await openRepo(process.cwd());
  if (!repo?.workTree) return undefined;
  enableRecord(repo);
  return { hooks: await installGitHooks(repo) };
}

/** Ends it. What was recorded stays. False if nothing was recorded here. */
export async function stopRecordHere(): Promise<boolean> {
  const repo = await openRepo(process.cwd());
  if (!repo || !isEnabled(repo)) return false;
  disableRecord(repo);
  await removeGitHooks(repo);
  return true;
}
