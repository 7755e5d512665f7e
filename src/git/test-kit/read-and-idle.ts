import { CatFile } from "../objects/cat-file.ts";
import { openRepo } from "../repo/open-repo.ts";

// Reads something and does not close the reader.
const repo = await openRepo(process.argv[2] ?? "");
if (!repo) throw new Error("no repository");
const reader = new CatFile(repo);
const info = await reader.info("HEAD");
process.stdout.write(`${reader.pids[0]}\n${info?.type}\n`);
