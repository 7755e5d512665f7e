import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { bubblewrap } from "./bubblewrap.ts";
import { walls } from "./walls.ts";

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

it.skipIf(!hasWalls)(
  "nothing of Seam's home that decides what agents may do can be written behind the walls",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "walls-"));
    const [main, workspace, home] = ["main", "slots/1", "seam"].map((name) => join(root, name));
    const git = (...args: string[]) => execFileSync("git", ["-C", main ?? "", ...args]);
    execFileSync("git", ["init", "--quiet", main ?? ""]);
    const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
    git(...who, "commit", "--quiet", "--allow-empty", "--message", "Start");
    git("worktree", "add", "--quiet", "-b", "seam/tasks/run/a", workspace ?? "");
    const deciding = ["bin/hook", "spare/hook", "trust.json", "settings.json", "rules.json"];
    const files = deciding.map((name) => join(home ?? "", name));
    for (const file of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "the user's\n");
    }
    const userHome = join(root, "home");
    mkdirSync(userHome);
    const folders: string[] = [];
    const contained = { workspace: workspace ?? "", home: home ?? "", userHome, folders };
    const [program = "", ...words] = await walls(contained);
    const script = 'echo done > made; for file; do echo theirs > "$file"; done';
    spawnSync(program, [...words, "/bin/sh", "-c", script, "sh", ...files], { cwd: workspace });
    expect(readFileSync(join(workspace ?? "", "made"), "utf8")).toBe("done\n");
    expect(files.filter((file) => readFileSync(file, "utf8") !== "the user's\n")).toEqual([]);
  },
);
