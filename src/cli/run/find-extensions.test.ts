import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { judgeProject, trust } from "../../extensions/index.ts";
import { extensionsFor } from "./find-extensions.ts";

it("a critical gate that held once in a work tree goes on when somebody deletes what git says of it", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lent-")));
  vi.stubEnv("SEAM_HOME", join(folder, "seam"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const [main, tree] = [join(folder, "main"), join(folder, "tree")];
  const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
  const git = (...args: string[]) => execFileSync("git", ["-C", main, ...who, ...args]);
  execFileSync("git", ["init", "--quiet", main]);
  git("commit", "--quiet", "--allow-empty", "--message", "Start");
  git("worktree", "add", "--quiet", tree);
  mkdirSync(join(main, ".seam/extensions"), { recursive: true });
  const gate = "export const critical = true;\nexport default () => {};\n";
  writeFileSync(join(main, ".seam/extensions/gate.ts"), gate);
  trust(main, judgeProject(main));
  const warned: string[] = [];
  const names = async () =>
    (await extensionsFor(tree, {}, (text) => warned.push(text))).map((one) =>
      typeof one === "string" ? one : one.name,
    );
  expect(await names()).toEqual(["gate"]);
  rmSync(join(tree, ".git"));
  expect(await names()).toEqual(["gate"]);
  expect(warned.join()).toContain("git no longer says");
});
