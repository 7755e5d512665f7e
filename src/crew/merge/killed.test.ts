import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundled } from "../../../test/setup/bundled.ts";
import { isSampled } from "../../../test/setup/sample.ts";
import { complaints, run, tempDir, withFiles } from "../../git/test-kit/index.ts";

type How = "alone" | "group";

/** Does everything, or is killed at a step. Returns whether it came to the end. */
async function work(root: string, home: string, last: number, how: How): Promise<boolean> {
  const script = bundled(new URL("test-kit/mortal-crew.ts", import.meta.url));
  const args = [script, root, home, String(last), how];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0 && code !== null) throw new Error(errors);
  return code === 0;
}

/** Locks of git do not name their owner: the dead are told from the living by their age. */
function letTimePass(root: string): void {
  const git = join(root, ".git");
  for (const { name, parentPath } of readdirSync(git, { recursive: true, withFileTypes: true })) {
    if (name.endsWith(".lock")) utimesSync(join(parentPath, name), 1, 1);
  }
}

it("loses and doubles nothing, wherever it is killed", { timeout: 900_000 }, async () => {
  const template = withFiles({ a: "1\n", b: "1\n" });
  const fresh = () => {
    const root = join(tempDir(), "project");
    cpSync(template, root, { recursive: true });
    return { root, home: join(tempDir(), ".seam") };
  };
  const whole = fresh();
  expect(await work(whole.root, whole.home, 0, "alone")).toBe(true);
  const { total } = JSON.parse(readFileSync(join(whole.home, "end.json"), "utf8"));
  expect(total).toBeGreaterThan(40);
  const tree = run(whole.root, "rev-parse", "main^{tree}");
  for (const how of ["alone", "group"] as const) {
    for (let last = 1; last <= total; last++) {
      if (!isSampled(last + (how === "group" ? 25 : 0), 50)) continue;
      const { root, home } = fresh();
      await work(root, home, last, how);
      letTimePass(root);
      expect(await work(root, home, 0, "alone"), `killed ${how} at ${last}`).toBe(true);
      const end = readFileSync(join(home, "end.json"), "utf8");
      const at = `killed ${how} at ${last} of ${total}, then ${end}`;
      expect(run(root, "rev-parse", "main^{tree}"), at).toBe(tree);
      expect(run(root, "status", "--porcelain"), at).toBe("");
      const merges = run(root, "rev-list", "--merges", "--count", "main");
      expect(merges, at).toBe("1");
      expect(run(root, "worktree", "list").split("\n"), at).toHaveLength(2);
      expect(complaints(root), at).toBe("");
    }
  }
});
