import { SeamError } from "../../errors/index.ts";
import { listRefs, openRepo, type Repo } from "../../git/index.ts";
import { isRecorded, openRepoRecord, type RepoRecord, recordRefusal } from "../../record/index.ts";

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
  } catch (error) {
    throw isFruitless(error) && (await isOff(repo)) ? switchedOff(repo) : error;
  } finally {
    await record.store.close();
  }
}

/** What was looked for is not there. */
function isFruitless(error: unknown): boolean {
  return error instanceof SeamError && FRUITLESS.has(error.code);
}

const FRUITLESS: ReadonlySet<string> = new Set([
  "SEAM_RECORD_NOT_FOUND",
  "SEAM_RECORD_NO_CHECKPOINT",
  "SEAM_RECORD_NO_SESSION",
  "SEAM_RESUME_BRANCH",
]);

/** Nothing was ever recorded, and nothing will be: that is what the user has to know. */
async function isOff(repo: Repo): Promise<boolean> {
  return !(await isRecorded(repo)) && (await listRefs(repo, "refs/seam/")).length === 0;
}

/** The error that says so. */
export function switchedOff({ workTree, gitDir }: Repo): SeamError {
  return new SeamError("SEAM_RECORD_OFF", { path: workTree ?? gitDir });
}
