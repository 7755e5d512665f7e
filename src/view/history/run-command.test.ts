import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../daemon/test-kit/setup.ts";
import { runCommand } from "./run-command.ts";

/** A folder with programs that write down what they were started with. */
function place(...programs: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "run-"));
  for (const name of programs) {
    const file = join(folder, name);
    writeFileSync(
      file,
      `#!/bin/sh\n[ "$1" = has-session ] && exit 1\nprintf '%s\\n' "$PWD" "$@" > "${folder}/${name}.said"\n`,
    );
    chmodSync(file, 0o755);
  }
  const before = process.env.PATH;
  process.env.PATH = programs.length > 0 ? `${folder}:${before}` : folder;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  const said = (name: string) => readFileSync(join(folder, `${name}.said`), "utf8").split("\n");
  const isSaid = (name: string) => existsSync(join(folder, `${name}.said`));
  return { folder, said, isSaid };
}

const command = ["claude", "--resume", "a b; touch x"];

describe("a command that resumes a session", () => {
  it("runs in the terminal of the settings, and no shell reads it", async () => {
    const { folder, said, isSaid } = place("my-terminal");
    const terminal = ["my-terminal", "-e"];
    expect(await runCommand({ command, folder, name: "seam-1", terminal })).toEqual({
      in: "terminal",
    });
    await until(() => isSaid("my-terminal") && said("my-terminal").length > 5);
    expect(said("my-terminal")).toEqual([folder, "-e", ...command, ""]);
  });

  it("runs in tmux in the background where none is set", async () => {
    const { folder, said } = place("tmux");
    const ran = await runCommand({ command, folder, name: "seam-1", terminal: undefined });
    expect(ran).toEqual({ in: "tmux", attach: "tmux attach -t seam-1" });
    expect(said("tmux").slice(1)).toEqual([
      ...["new-session", "-d", "-s", "seam-1", "-c", folder],
      ...command,
      "",
    ]);
  });

  it("is refused where it cannot run", async () => {
    const { folder } = place();
    const wish = { command, folder, name: "n", terminal: undefined };
    const refused = { code: "SEAM_VIEW_RUN" };
    await expect(runCommand(wish)).rejects.toMatchObject(refused);
    await expect(runCommand({ ...wish, terminal: ["nowhere"] })).rejects.toMatchObject(refused);
    await expect(runCommand({ ...wish, folder: join(folder, "gone") })).rejects.toMatchObject(
      refused,
    );
    const unasked = { ...wish, command: ["seam", "run", "-p"] };
    await expect(runCommand(unasked)).rejects.toMatchObject(refused);
  });
});
