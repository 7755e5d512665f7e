import { describe, expect, it } from "vitest";
import { gitCommand } from "./git-command.ts";

const read = (line: string) => gitCommand(line.split(" "));

describe("what git was told to do", () => {
  it.each([
    ["git commit -m x", "commit"],
    ["/usr/lib/git-core/git commit", "commit"],
    ["/usr/lib/git-core/git-commit --amend", "commit"],
    ["git -c core.editor=x -C revert rebase --continue", "rebase"],
    ["git --git-dir commit cherry-pick x", "cherry-pick"],
    ["git --no-pager commit", "commit"],
    ["git --version", undefined],
    ["", undefined],
  ])("%j is to %s", (line, name) => {
    expect(read(line).name).toBe(name);
  });

  it.each([
    "git commit --amend",
    "git commit -qm x --amen",
    "git commit --am --no-edit",
    "git commit --no-amend --amend",
    "git commit -mwords --amend",
    "git commit -uno --amend",
    "git commit -Sm --amend",
    "git commit --message=x --amend",
    "git-commit --amend",
  ])("%j amends", (line) => {
    expect(read(line).amends).toBe(true);
  });

  it.each([
    "git commit -m --amend",
    "git commit -qam --amend",
    "git commit --mess --amend",
    "git commit --m --amend",
    "git commit -F --amend",
    "git commit --amend --no-amend",
    "git commit -- --amend",
    "git commit --all",
    "git commit --",
  ])("%j does not", (line) => {
    expect(read(line).amends).toBe(false);
  });

  it("the cleanup is the one that was said last, in full or cut", () => {
    expect(read("git commit --cleanup=strip").cleanup).toBe("strip");
    expect(read("git commit --cleanup=strip --clean verbatim -m x").cleanup).toBe("verbatim");
    expect(read("git commit -m --cleanup=strip")).not.toHaveProperty("cleanup");
  });

  it("going on is told from beginning", () => {
    expect(read("git cherry-pick --continue").continues).toBe(true);
    expect(read("git rebase --cont").continues).toBe(true);
    expect(read("git merge side").continues).toBe(false);
  });
});
