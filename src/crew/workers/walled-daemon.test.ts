import { execFileSync } from "node:child_process";
import { mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { daemonPaths, daemonStatus, stopDaemon } from "../../daemon/index.ts";
import { builtFile } from "../../settings/index.ts";
import { bubblewrap } from "../containment/bubblewrap.ts";
import { wallsIn } from "./attempt-process.ts";
import { impostor, run, SAYS_DONE, SAYS_INIT } from "./test-kit/attempt.ts";

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

it.skipIf(!hasWalls).each([
  ["an agent's hook", ""],
  ["a program whose environment the agent chose", "env -u SEAM_CREW_RING "],
  ["a hook after one that was killed as it wanted to", ': > "$SEAM_CREW_RING"; '],
])(
  "a daemon that %s starts is outside of the agent's walls, and outlives it",
  async (_, before) => {
    const seam = `${before}"${process.execPath}" "${builtFile("bin/seam.js")}"`;
    const spec = impostor(
      `${SAYS_INIT}; ${seam} daemon serve >&2; readlink /proc/self/ns/mnt > inside; ${SAYS_DONE}`,
    );
    const main = join(spec.cwd, "../../main");
    mkdirSync(main);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: main, stdio: "ignore" });
    git("init", "--quiet");
    writeFileSync(join(main, "a.txt"), "a\n");
    git("add", "--all");
    git("-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-qm", "Start");
    git("worktree", "add", "-b", "seam/tasks/run/a", spec.cwd);
    mkdirSync(join(spec.home, "bin"), { recursive: true });
    const paths = daemonPaths(spec.home);
    onTestFinished(() => stopDaemon(paths).then(() => {}));
    expect((await run(spec)).end).toEqual({ kind: "finished", text: "All done." });
    const outside = readlinkSync("/proc/self/ns/mnt");
    expect(wallsIn(spec.folder)?.namespace).not.toBe(outside);
    const daemon = await daemonStatus(paths);
    expect(readlinkSync(`/proc/${daemon?.pid}/ns/mnt`)).toBe(outside);
  },
);
