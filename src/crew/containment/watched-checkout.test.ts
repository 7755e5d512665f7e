import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkoutState } from "./checkout-state.ts";
import { WatchedCheckout } from "./watched-checkout.ts";

function scratch() {
  const root = mkdtempSync(join(tmpdir(), "watched-"));
  const path = join(root, "project");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@localhost", ...args], {
      cwd: existsSync(path) ? path : root,
    });
  git("init", "--quiet", "--initial-branch=main", path);
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  write("a.txt", "a\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Start");
  const folder = join(root, "attempt");
  return { path, git, write, folder, checkout: new WatchedCheckout(path, folder) };
}

it("a checkout that was only looked at leaves nothing behind", async () => {
  const { checkout, git, write, folder } = scratch();
  write("draft.txt", "draft\n");
  await checkout.begin();
  git("status");
  expect(await checkout.end()).toBeUndefined();
  expect(existsSync(join(folder, "checkout"))).toBe(false);
});

it.each<[string, (place: ReturnType<typeof scratch>) => void, string]>([
  ["a file", ({ write }) => write("a.txt", "b\n"), "a.txt"],
  ["a file that was changed before", ({ write }) => write("draft.txt", "other\n"), "draft.txt"],
  ["a new file", ({ write }) => write("new.txt", "new\n"), "new.txt"],
  ["a file put back", ({ path }) => execFileSync("rm", [join(path, "draft.txt")]), "draft.txt"],
  ["what is staged", ({ git }) => git("add", "draft.txt"), "what is staged"],
  ["a branch", ({ git }) => git("branch", "other"), "refs/heads/other"],
  ["HEAD", ({ git }) => git("checkout", "--quiet", "--detach"), "HEAD"],
  ["a commit", ({ git }) => git("commit", "--allow-empty", "-qm", "x"), "refs/heads/main"],
  ["git's settings", ({ git }) => git("config", "core.pager", "less"), ".git/config"],
  ["a hook", ({ write }) => write(".git/hooks/pre-commit", "x"), ".git/hooks/pre-commit"],
])("%s is seen to be changed", async (_, change, name) => {
  const place = scratch();
  place.write("draft.txt", "draft\n");
  await place.checkout.begin();
  change(place);
  const found = await place.checkout.end();
  expect([...(found?.files ?? []), ...(found?.repository ?? [])]).toContain(name);
});

it("a hook of Seam's that wakes up is nobody's change; one that is put to rest and is not Seam's is", async () => {
  const { path, checkout, write } = scratch();
  const move = (from: string, to: string) => renameSync(join(path, from), join(path, to));
  write(".git/hooks/post-commit.seam-resting", "#!/bin/sh\n# agentseam 10\n");
  write(".git/hooks/pre-push", "#!/bin/sh\nexit 1\n");
  await checkout.begin();
  move(".git/hooks/post-commit.seam-resting", ".git/hooks/post-commit");
  expect(await checkout.end()).toBeUndefined();
  await checkout.begin();
  move(".git/hooks/pre-push", ".git/hooks/pre-push.seam-resting");
  write(".git/hooks/post-commit", "#!/bin/sh\n# agentseam 10\nsteal\n");
  expect((await checkout.end())?.repository).toEqual([
    ".git/hooks/post-commit",
    ".git/hooks/pre-push",
    ".git/hooks/pre-push.seam-resting",
  ]);
});

it("what is explained is not found, and what came beside it is", async () => {
  const { path, checkout, git, write, folder } = scratch();
  await checkout.begin();
  write("stray.txt", "stray\n");
  const from = await checkoutState(path);
  write("a.txt", "landed\n");
  git("commit", "--quiet", "--all", "--message", "Landed");
  const to = await checkoutState(path);
  if (from && to) checkout.explain(from, to);
  const found = await checkout.end();
  expect(found).toMatchObject({ files: ["stray.txt"], repository: [] });
  expect(readFileSync(join(folder, "checkout/after/stray.txt"), "utf8")).toBe("stray\n");
});
