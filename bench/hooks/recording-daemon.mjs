// The built daemon with a recorder that appends a line for each hook to a file, each number once:
// what it was given before it ended it is given again, and it must notice.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const room = (name) =>
  import(
    new URL(`../../node_modules/.cache/agentseam/built/${name}/index.js`, import.meta.url).href
  );
const { ALL_AGENTS } = await room("agents");
const { serve } = await room("daemon");

const file = `${process.env.SEAM_HOME}/recorded`;
const before = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
// Sessions do not wait for one another, so a smaller number can come after a larger one.
const known = new Set(before.map((line) => Number(line.split(" ")[0])));
const recorder = {
  accept: async ({ seq, reading }) => {
    if (known.has(seq)) return;
    known.add(seq);
    appendFileSync(file, `${seq} ${reading?.sessionId}\n`);
  },
  close: async () => {},
};
await serve({ agents: ALL_AGENTS, recorder });
process.exit(0);
