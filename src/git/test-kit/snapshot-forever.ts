import { writeSync } from "node:fs";
import { identityOf } from "../commits/identity.ts";
import { ObjectBatch } from "../object-batch.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { rawPath } from "../paths/raw-path.ts";
import { readRef } from "../refs/read-ref.ts";
import { openRepo } from "../repo/open-repo.ts";
import { editTree } from "../trees/edit-tree.ts";

// Says the id of every commit once a reference leads to it.
const [root = "", ref = ""] = process.argv.slice(2);
const repo = await openRepo(root);
if (!repo) throw new Error("no repository");
const store = new ObjectStore(repo);
let parent = await readRef(repo, ref);
for (let n = 0; ; n++) {
  const batch = new ObjectBatch(store);
  const id = await batch.writeBlob(Buffer.from(`${process.pid} ${n} `.repeat((n * 37) % 3000)));
  const base = (await store.info(`${parent ?? "HEAD"}^{tree}`))?.id;
  const path = rawPath(`d${n % 5}/f${n % 3}`);
  const tree = await editTree(batch, base, [{ path, entry: { mode: "100644", id } }]);
  const me = await identityOf(repo);
  const parents = parent === undefined ? [] : [parent];
  const fields = { tree, parents, author: me, committer: me, message: `turn ${n}` };
  const commit = await batch.writeCommit(fields);
  const update = await batch.publish(ref, commit, parent ?? null);
  if (!update.ok) throw new Error("somebody else was here");
  parent = commit;
  writeSync(1, `${commit}\n`);
}
