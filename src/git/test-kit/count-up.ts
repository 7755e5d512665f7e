import { ObjectStore } from "../objects/object-store.ts";
import { readRef } from "../refs/read-ref.ts";
import { updateRef } from "../refs/update-ref.ts";
import { openRepo } from "../repo/open-repo.ts";

// Adds numbers to a counter that several processes share; prints how often it lost.
const [root = "", ref = "", times = "0"] = process.argv.slice(2);
const repo = await openRepo(root);
if (!repo) throw new Error("no repository");
const store = new ObjectStore(repo);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
let lost = 0;
for (let n = 0; n < Number(times); ) {
  const old = await readRef(repo, ref);
  const count = old === undefined ? 0 : Number((await store.read(old))?.content);
  const id = await store.writeBlob(Buffer.from(String(count + 1)));
  const update = await updateRef(repo, ref, id, old ?? null, { patienceMs: 10_000 });
  if (update.ok) n++;
  else lost++;
}
process.stdout.write(`${lost}\n`);
await store.close();
process.stdin.destroy();
