import { CatFile } from "../objects/cat-file.ts";
import { openRepo } from "../repo/open-repo.ts";

// Reads with the git that is found on another PATH.
const [root = "", path = ""] = process.argv.slice(2);
process.env.PATH = path;
const repo = await openRepo(root);
if (!repo) throw new Error("no repository");
const reader = new CatFile(repo);
const [info, blob, none] = await Promise.all([
  reader.info("HEAD"),
  reader.read("HEAD:a"),
  reader.info("nope"),
]);
process.stdout.write(`${info?.type}\n${blob?.content}\n${none}\n${reader.pids.length} readers\n`);
