import { inWords, SeamError } from "../../errors/index.ts";
import { CHECKPOINTS_REF as ref } from "../checkpoint/metadata.ts";
import { tipOf } from "../checkpoint/tip.ts";
import type { RepoRecord } from "../repo-record.ts";

interface Damage {
  readonly error: SeamError;
  /**
   * The checkpoints are found in another way; the next one that is written repairs the reference.
   */
  readonly isHarmless: boolean;
}

/** What is wrong with the reference to the checkpoints; undefined if all is well. */
export async function damageOf({ store }: Pick<RepoRecord, "store">): Promise<Damage | undefined> {
  try {
    const { commit, wrong: detail } = await tipOf(store);
    if (detail === undefined) return undefined;
    if (commit === undefined) return unreadable(detail);
    const error = new SeamError("SEAM_RECORD_MISLED", { ref, detail, commit });
    return { error, isHarmless: true };
  } catch (error) {
    return unreadable(inWords(error));
  }
}

/** Why no checkpoint can be read, though there were some. */
export async function checkpointsDamage(
  record: Pick<RepoRecord, "store">,
): Promise<SeamError | undefined> {
  const damage = await damageOf(record);
  return damage?.isHarmless ? undefined : damage?.error;
}

function unreadable(detail: string): Damage {
  return { error: new SeamError("SEAM_RECORD_DAMAGED", { ref, detail }), isHarmless: false };
}
