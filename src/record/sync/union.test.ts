import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { ObjectBatch, readRef } from "../../git/index.ts";
import { CHECKPOINTS_REF } from "../checkpoint/metadata.ts";
import { readCheckpointTree, readTranscript } from "../checkpoint/read-checkpoint.ts";
import { checkpoint, recordOf } from "../history/test-kit.ts";
import type { RepoRecord } from "../repo-record.ts";
import { Project } from "../test-kit/project.ts";
import { idsBetween } from "./ids-between.ts";
import { unionOf } from "./union.ts";

const IDS = ["aa0000000001", "aa0000000002", "bb0000000003"] as const;

/** What a side has: sessions of checkpoints, each with so many lines. */
const side = fc.array(
  fc.record({
    id: fc.constantFrom(...IDS),
    session: fc.constantFrom("s1", "s2", "s3"),
    lines: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 5 },
);

type Entry = { id: string; session: string; lines: number };

async function treeWith(
  project: Project,
  record: RepoRecord,
  entries: readonly Entry[],
): Promise<string | undefined> {
  project.git("update-ref", "-d", CHECKPOINTS_REF);
  for (const { id, session, lines } of entries) {
    const all = Array.from({ length: lines }, (_, at) => ({ type: "user", uuid: `${at}` }));
    const metadata = { created_at: "2026-05-25T12:00:00Z" };
    await checkpoint(project, record, { id, session, lines: all, metadata });
  }
  const tip = await readRef(record.repo, CHECKPOINTS_REF);
  return tip === undefined ? undefined : (await record.store.info(`${tip}^{tree}`))?.id;
}

/** Length of each session's transcript. */
async function contents({ store }: RepoRecord, tree: string | undefined) {
  const found = new Map<string, number>();
  if (tree === undefined) return found;
  for (const id of await idsBetween(store, undefined, tree)) {
    const folder = await store.info(`${tree}:${id.slice(0, 2)}/${id.slice(2)}`);
    const one = await readCheckpointTree(store, id, folder?.id ?? "");
    for (const { index, metadata } of one?.sessions ?? []) {
      const content = one && (await readTranscript(store, one, index));
      found.set(`${id} ${metadata.session_id}`, content?.length ?? 0);
    }
  }
  return found;
}

test("a union loses nothing, keeps the longer form, and does not care who asks", {
  timeout: 120_000,
}, async () => {
  const project = new Project();
  const record = await recordOf(project.root);
  await fc.assert(
    fc.asyncProperty(side, side, async (mine, yours) => {
      const ours = await treeWith(project, record, mine);
      const theirs = await treeWith(project, record, yours);
      if (ours === undefined && theirs === undefined) return;
      const batch = new ObjectBatch(record.store);
      const united = await unionOf(batch, { ours, theirs });
      expect(await unionOf(batch, { ours: theirs, theirs: ours })).toBe(united);
      expect(await unionOf(batch, { ours: united, theirs })).toBe(united);
      const [a, b, all] = [
        await contents(record, ours),
        await contents(record, theirs),
        await contents(record, united),
      ];
      const keys = new Set([...a.keys(), ...b.keys()]);
      expect(new Set(all.keys())).toEqual(keys);
      for (const key of keys) {
        expect(all.get(key)).toBe(Math.max(a.get(key) ?? 0, b.get(key) ?? 0));
      }
    }),
    runs(40),
  );
});
