import { SeamError } from "../../errors/index.ts";
import { openRepo } from "../../git/index.ts";
import { openRepoRecord, type RepoRecord, recordRefusal } from "../../record/index.ts";

/** The record of the repository the user is in. */
export async function withRecord<T>(work: (record: RepoRecord) => Promise<T>): Promise<T> {
  const cwd = process.cwd();
  const repo = await openRepo(cwd);
  if (!repo) throw new SeamError("SEAM_RECORD_NO_REPO", { path: cwd });
  const refusal = await recordRefusal(repo, { refs: true });
  if (refusal) throw refusal;
  const record = openRepoRecord(repo);
  try {
    return await work(record);
  } finally {
    await record.store.close();
  }
}
