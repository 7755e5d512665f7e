import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookCommand, inPosixShell } from "./hook-command.ts";

/** What a daemon left in Seam's folder, of which the client and its spare were deleted. */
function withoutClient(answer = "2\nno: \\n %s\n") {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hook-command-")));
  const home = join(root, "seam");
  const project = join(root, "project");
  const list = join(home, "run/block");
  for (const folder of [join(home, "run/unavailable"), project]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(home, "run/unavailable/agent.Tool.removed"), answer);
  const command = hookCommand("agent", "Tool", home, { isGate: true });
  const hook = (shell: string, env: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(shell, ["-c", command], {
      ...{ cwd: project, env: { HOME: root, ...env }, input: "{}", encoding: "utf8" },
    });
    return { status, stdout, stderr };
  };
  return {
    root,
    project,
    list,
    command,
    hook,
    closes: (roots: string) => writeFileSync(list, roots),
  };
}

const CLOSED = { status: 2, stdout: "no: \\n %s\n", stderr: "" };
const OPEN = { status: 0, stdout: "", stderr: "" };

describe.each(["/bin/sh", "/bin/bash"].filter(existsSync))(
  "where the hook client and its spare are gone, in %s",
  (shell) => {
    it("a gate is what it was for the folder when the daemon was there", () => {
      const { project, root, hook, closes } = withoutClient();
      expect(hook(shell)).toEqual(OPEN);
      for (const [roots, end] of [
        [`${project}\n`, CLOSED],
        [`${root}/other\n${project}/\n`, CLOSED],
        [`${root}\n`, CLOSED],
        ["/\n", CLOSED],
        [`${project}/inner\n${project}s\n`, OPEN],
        [`${root}/p*\n`, OPEN],
      ] as const) {
        closes(roots);
        expect(hook(shell), roots).toEqual(end);
      }
    });

    it("it is so too under the name of a link to the folder, and under its own", () => {
      const { root, project, hook, closes } = withoutClient();
      const link = join(root, "link");
      symlinkSync(project, link);
      for (const [roots, PWD] of [
        [project, link],
        [link, link],
        [project, project],
      ] as const) {
        closes(`${roots}\n`);
        expect(hook(shell, { PWD }), `${roots} ${PWD}`).toEqual(CLOSED);
      }
    });

    it("it closes where the list cannot be read", () => {
      const { list, hook } = withoutClient();
      mkdirSync(list);
      expect(hook(shell)).toEqual(CLOSED);
    });
  },
);

it("an agent that fills in variables of its environment changes nothing of a command of the user's own", () => {
  const { command } = withoutClient();
  expect(command.match(/\$\{?(?!seam_)\w+/g)).toBeNull();
  // For agents that may have no POSIX shell it stands between single quotes.
  expect(inPosixShell(command).match(/'/g)).toHaveLength(2);
});
