import { expect, it } from "vitest";
import { run, write } from "../../git/test-kit/index.ts";
import { branchOf, crewRepository, passing } from "../workspaces/test-kit.ts";
import { deleteMerged } from "./delete-merged.ts";
import { mergeTasks } from "./merge-tasks.ts";

it("deletes only branches that the target contains and that nobody has checked out", async () => {
  const { root, take, pool, base } = crewRepository();
  const tasks = [];
  for (const task of ["merged", "open", "held"]) {
    const workspace = await take(task);
    write(workspace.path, { [task]: "x" });
    const commit = (await pool.release(workspace))?.commit ?? "";
    if (task !== "open") tasks.push({ task, commit });
  }
  const target = "seam/crew/r";
  await mergeTasks({ repository: root, run: "r", target, base, tasks, prove: passing });
  run(root, "checkout", "-q", branchOf("held"));
  expect(await deleteMerged(root, "r", target)).toEqual({
    deleted: [branchOf("merged")],
    kept: [branchOf("held"), branchOf("open")],
  });
  expect(run(root, "branch", "--list", "seam/tasks/*", "--format=%(refname:short)")).toBe(
    `${branchOf("held")}\n${branchOf("open")}`,
  );
});
