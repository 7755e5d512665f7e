import { messageOf, SeamError } from "../../errors/index.ts";
import { readRef } from "../../git/index.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import type { RepoRecord } from "../repo-record.ts";

/** Why no checkpoint can be read, though there were some; undefined if all is well. */
export async function checkpointsDamage({
  repo,
  store,
}: Pick<RepoRecord, "repo" | "store">): Promise<SeamError | undefined> {
  const damaged = (detail: string) =>
    new SeamError("SEAM_RECORD_DAMAGED", { ref: CHECKPOINTS_REF, detail });
  try {
    const tip = await readRef(repo, CHECKPOINTS_REF);
    if (tip === undefined) return undefined;
    const type = (await store.info(tip))?.type;
    if (type === "commit") return undefined;
    return damaged(type === undefined ? `${tip} is missing` : `${tip} is a ${type}, no commit`);
  } catch (error) {
    return damaged(messageOf(error));
  }
}
