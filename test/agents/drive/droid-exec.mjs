// `droid exec` as people type it: it fires no hook for its prompt.
//   node droid-exec.mjs <droid> <prompt> "" [...arguments for droid]
import { spawn } from "node:child_process";

const [droid, prompt, , ...more] = process.argv.slice(2);
const child = spawn(
  droid,
  ["exec", "--auto", "high", "-m", "custom:mock-0", "-o", "json", ...more, prompt],
  { stdio: ["ignore", "inherit", "inherit"] },
);
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
