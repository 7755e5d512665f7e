import child from "node:child_process";
import fs, { existsSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { saveWork } from "../../workspaces/save-work.ts";
import { WorkspacePool } from "../../workspaces/workspace-pool.ts";
import { landOn } from "../land-on.ts";
import { mergeTasks } from "../merge-tasks.ts";

// Does a task from its workspace to the user's branch, and is killed before its n-th change to a
// file or start of a program; with "group", in the middle of that program, which is killed as well.
const [root = "", home = "", last = "0", how = "alone"] = process.argv.slice(2);

const CHANGES = [
  ...["writeFileSync", "renameSync", "rmSync", "linkSync", "mkdirSync", "copyFileSync"],
  ...["writeSync", "utimesSync", "openSync", "symlinkSync"],
] as const;
/** Long enough for git to be at work, and too short for it to be done. */
const INTO_GIT_MS = 6;

let steps = 0;
const isLast = () => ++steps === Number(last);
const die = () => process.kill(how === "group" ? -process.pid : process.pid, "SIGKILL");

function mortal(module: object, name: string, diesAfter: boolean): void {
  const table = module as Record<string, (...args: unknown[]) => unknown>;
  const real = table[name];
  table[name] = (...args) => {
    if (!isLast()) return real?.(...args);
    if (!diesAfter) die();
    const result = real?.(...args);
    setTimeout(die, INTO_GIT_MS);
    return result;
  };
}

for (const name of CHANGES) mortal(fs, name, false);
mortal(child, "spawn", how === "group");
syncBuiltinESMExports();

const pool = new WorkspacePool({ repository: root, home });
const target = "seam/crew/r";
await pool.reconcile();
const workspace = await pool.take({
  run: "r",
  task: "one",
  branch: "seam/tasks/r/one",
  base: "main~0",
});
// What the agent does; it has done it, if its work is there.
if (!existsSync(join(workspace.path, "made"))) {
  child.execFileSync(
    "sh",
    ["-c", "echo 2 >a && mkdir -p deep/er && echo new >deep/er/file && echo x >made"],
    {
      cwd: workspace.path,
    },
  );
}
const { commit, changed } = await saveWork(workspace, "Work");
const { landed } = await mergeTasks({
  repository: root,
  run: "r",
  target,
  base: workspace.base,
  tasks: [{ task: "one", commit }],
  prove: async (candidate) => ({ passed: true, commit: candidate, checks: [] }),
});
await pool.release(workspace);
const result = await landOn(root, target, "main");
const total = steps;
writeFileSync(join(home, "end.json"), JSON.stringify({ changed, landed, result, total }));
