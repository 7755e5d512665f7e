import { SeamError } from "../../errors/index.ts";
import type { ObjectStore } from "../../git/index.ts";
import { snapshots, type Turn, turnOf } from "./turns.ts";

/** The turn whose id starts like this; undefined if there is none. */
export async function turnNamed(store: ObjectStore, start: string): Promise<Turn | undefined> {
  if (!/^[0-9a-f]{4,12}$/.test(start)) return undefined;
  const taken = (await snapshots(store)).filter(({ record }) => record.turn_id.startsWith(start));
  const [id, ...others] = new Set(taken.map(({ record }) => record.turn_id));
  if (id === undefined) return undefined;
  if (others.length > 0) {
    const list = [id, ...others].map((one) => `\n  ${one}`).join("");
    throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
  }
  const at = (moment: "start" | "end") => taken.find(({ record }) => record.moment === moment);
  const [first, last] = [at("start"), at("end")];
  return turnOf(store, id, { ...(first && { start: first }), ...(last && { end: last }) });
}
