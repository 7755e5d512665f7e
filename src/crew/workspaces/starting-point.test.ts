import { expect, it } from "vitest";
import { init, run, tempDir, withFiles, write } from "../../git/test-kit/index.ts";
import { startingPoint } from "./starting-point.ts";

it("is the user's commit and branch, with what is in no commit named", async () => {
  const root = withFiles({ a: "1", "folder/b": "1" });
  const commit = run(root, "rev-parse", "HEAD");
  write(root, { a: "2", "new ü": "n" });
  const expected = { repository: root, commit, branch: "main", uncommitted: ["a", "new ü"] };
  expect(await startingPoint(`${root}/folder`)).toEqual(expected);
  run(root, "checkout", "-q", "--detach");
  expect(await startingPoint(root)).not.toHaveProperty("branch");
});

it("is none without a repository, or without a commit", async () => {
  await expect(startingPoint(tempDir())).rejects.toMatchObject({ code: "SEAM_CREW_NO_REPO" });
  await expect(startingPoint(init())).rejects.toMatchObject({
    code: "SEAM_CREW_NO_COMMIT",
    next: expect.stringContaining("git commit"),
  });
});
