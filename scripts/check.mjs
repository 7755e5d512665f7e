// Types, style and dead code, all at once: none of them needs the others. Says what each found.
import { spawn } from "node:child_process";

// Not `tsc` by its name: the bundler of declarations brings an older one with it. In one thread: each
// more looks at the types that all share once more, and the other checks keep the processors busy.
const TSC = ["node", "node_modules/typescript/bin/tsc", "--incremental", "--singleThreaded"];
// What was found out about files that have not changed since is kept: that is most of the work.
const KEPT = "node_modules/.cache/agentseam";
// The page is checked apart: it has a DOM, and nothing else in the repository has.
const CHECKS = [
  [...TSC, "-p", ".", "--tsBuildInfoFile", `${KEPT}/tsc.json`],
  [...TSC, "-p", "web", "--tsBuildInfoFile", `${KEPT}/tsc-web.json`],
  ["biome", "check", "--error-on-warnings"],
  ["knip", "--cache", "--cache-location", `${KEPT}/knip`],
];

async function check([program, ...args]) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const code = await new Promise((done) => {
    child.on("error", (error) => {
      said += error.message;
      done(1);
    });
    child.on("close", done);
  });
  if (code !== 0) process.stderr.write(`${program} ${args.join(" ")}\n${said}\n`);
  return code;
}

const codes = await Promise.all(CHECKS.map(check));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
