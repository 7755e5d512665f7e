import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { judgeProject, trust } from "../../../extensions/index.ts";
import { discoverAndLoadExtensions } from "./loaded-extension.ts";
import { DefaultResourceLoader } from "./resource-loader.ts";

/** A work tree of a project in which the user trusted a critical gate. */
function workTree(): string {
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
  return tree;
}

const WAYS: readonly [string, (cwd: string) => Promise<{ extensions: { path: string }[] }>][] = [
  [
    "a resource loader",
    async (cwd) => {
      const loader = new DefaultResourceLoader({ cwd, noExtensions: true });
      await loader.reload();
      return loader.getExtensions();
    },
  ],
  ["discoverAndLoadExtensions", (cwd) => discoverAndLoadExtensions([], cwd)],
];

it.each(WAYS)(
  "a critical gate that held once in a work tree stays in it for %s, whatever git says later",
  async (_, find) => {
    const tree = workTree();
    const names = async () =>
      (await find(tree)).extensions.map(({ path }) => path.split("/").pop());
    expect(await names()).toEqual(["gate.ts"]);
    rmSync(join(tree, ".git"));
    expect(await names()).toEqual(["gate.ts"]);
  },
);
