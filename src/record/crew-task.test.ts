import { expect, it } from "vitest";
import { crewTaskIn, crewTaskOf, taskBranch } from "./crew-task.ts";

it("a branch tells the task of a crew that it belongs to, and others tell none", () => {
  expect(crewTaskOf(taskBranch("e69aba8d", "csv"))).toEqual({ run: "e69aba8d", task: "csv" });
  for (const branch of [
    undefined,
    "main",
    "seam/crew/e69aba8d",
    "seam/tasks/a",
    "seam/tasks/a/b/c",
  ]) {
    expect(crewTaskOf(branch)).toBeUndefined();
  }
});

it("the message of a merge tells the task it brought in, and others tell none", () => {
  const message = "Merge task csv: Read CSV\n\nSeam-Run: e69aba8d\nSeam-Task: csv\n";
  expect(crewTaskIn(message)).toEqual({ run: "e69aba8d", task: "csv" });
  expect(crewTaskIn("Read CSV\n\nSeam-Run: e69aba8d\n")).toBeUndefined();
  expect(crewTaskIn("Seam-Run: what is it?\n\nA question.\n")).toBeUndefined();
});
