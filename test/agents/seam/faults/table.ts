import { execFileSync } from "node:child_process";
import { appendFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fault } from "./fault.ts";

const DECIDES = { critical: "gate decides", ordinary: "gate decides" } as const;
const CLOSED = { critical: "blocked", ordinary: "blocked" } as const;
const AS_CHOSEN = { critical: "blocked", ordinary: "runs" } as const;
/** Nothing that runs could close the gate. */
const OPEN = { critical: "runs", ordinary: "runs" } as const;

const NOBODY = { critical: [], ordinary: [] } as const;
const WITHOUT_DAEMON = {
  critical: ["model", "status", "doctor"],
  ordinary: ["status", "doctor"],
} as const;

const SAYS_NOTHING = "#!/bin/sh\nexit 0\n";

/** Everything that can break between an agent and a gate, and what happens then. */
export const FAULTS: readonly Fault[] = [
  {
    name: "nothing is broken",
    gate: "user",
    call: DECIDES,
    told: NOBODY,
  },
  {
    name: "the daemon was killed",
    gate: "user",
    arrange: (machine) => machine.signalDaemon("SIGKILL"),
    call: DECIDES,
    told: NOBODY,
  },
  {
    name: "the daemon cannot start",
    gate: "user",
    arrange(machine) {
      machine.stage.stopDaemon();
      machine.write(join(machine.runDir, "journal"), "in the way");
    },
    undo: (machine) => rmSync(join(machine.runDir, "journal")),
    call: AS_CHOSEN,
    told: WITHOUT_DAEMON,
  },
  {
    name: "the daemon hangs",
    gate: "user",
    arrange(machine) {
      machine.impatientClient();
      machine.signalDaemon("SIGSTOP");
    },
    undo: (machine) => machine.signalDaemon("SIGKILL"),
    call: AS_CHOSEN,
    told: WITHOUT_DAEMON,
  },
  {
    name: "the daemon has hardly any file descriptors",
    gate: "user",
    arrange: (machine) => machine.restartDaemon("ulimit -n 40"),
    call: DECIDES,
  },
  {
    name: "a handler takes all memory",
    gate: "user",
    handler: "const all = []; for (;;) all.push(new Array(1e6).fill(all.length));",
    call: CLOSED,
    told: { critical: ["model", "log"], ordinary: ["model", "log"] },
  },
  {
    name: "the thread of the extensions is ended",
    gate: "user",
    handler: "process.exit(1);",
    call: CLOSED,
    told: { critical: ["model", "log"], ordinary: ["model", "log"] },
  },
  {
    name: "a trusted extension is gone",
    gate: "project",
    arrange: (machine) => rmSync(machine.gate),
    call: DECIDES,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "a trusted extension was changed",
    gate: "project",
    arrange: (machine) => machine.write(machine.gate, "export default () => {};\n"),
    call: DECIDES,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "a handler throws",
    gate: "user",
    handler: 'throw new Error("broken");',
    call: CLOSED,
    told: { critical: ["model", "log"], ordinary: ["model", "log"] },
  },
  {
    name: "a handler takes too long",
    gate: "user",
    settings: { deadlines: { tool_call: 500 } },
    handler: "await new Promise(() => {});",
    call: CLOSED,
    told: { critical: ["model", "log"], ordinary: ["model", "log"] },
  },
  {
    name: "a handler never yields",
    gate: "user",
    settings: { deadlines: { tool_call: 500 } },
    handler: "for (;;);",
    call: CLOSED,
    told: { critical: ["model", "log"], ordinary: ["model", "log"] },
  },
  {
    name: "the hook client was edited to say nothing",
    gate: "user",
    arrange(machine) {
      machine.stage.stopDaemon();
      machine.write(machine.client, SAYS_NOTHING, 0o700);
    },
    call: OPEN,
    told: { critical: ["status", "doctor"], ordinary: ["status", "doctor"] },
  },
  {
    name: "the folder of the hook client was deleted",
    gate: "user",
    arrange(machine) {
      machine.stage.stopDaemon();
      rmSync(dirname(machine.client), { recursive: true });
    },
    call: DECIDES,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "the hook client was edited while the daemon runs",
    gate: "user",
    async arrange(machine) {
      machine.write(machine.client, SAYS_NOTHING, 0o700);
      await machine.until(() => statSync(machine.client).size > SAYS_NOTHING.length);
    },
    call: DECIDES,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "the hook client was killed before it could ask",
    gate: "user",
    // Where the daemon is faster, it has put the client right before the call.
    attempts: 4,
    breakLate(machine) {
      const real = `${machine.client}.real`;
      renameSync(machine.client, real);
      machine.write(
        machine.client,
        `#!/bin/sh\ncase $2 in PreToolUse) /bin/mv '${real}' "$0"; kill -9 $$ ;; esac\nexec '${real}' "$@"\n`,
        0o700,
      );
    },
    call: OPEN,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "the hook client was killed while Seam decided",
    gate: "user",
    handler: `const { readdirSync, readFileSync } = await import("node:fs");
    for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) {
      try {
        const words = readFileSync("/proc/" + pid + "/cmdline", "utf8").split("\\0");
        const isOurs = words.some((word) => word.startsWith(process.env.HOME ?? "?"));
        if (isOurs && words.includes("PreToolUse")) process.kill(Number(pid), "SIGKILL");
      } catch {}
    }
    await new Promise((gone) => setTimeout(gone, 300));
    return { block: true, reason: "the-gate-said-no" };`,
    call: OPEN,
    told: { critical: ["log", "status", "doctor"], ordinary: ["log", "status", "doctor"] },
  },
  {
    name: "the spool takes nothing",
    gate: "user",
    arrange: (machine) => machine.write(join(machine.runDir, "spool"), "in the way"),
    call: DECIDES,
    told: { critical: ["log"], ordinary: ["log"] },
  },
  {
    name: "Seam's folder cannot be written, and the daemon is gone",
    gate: "user",
    arrange(machine) {
      machine.stage.stopDaemon();
      const { seamHome } = machine.stage;
      execFileSync("mount", ["--bind", seamHome, seamHome]);
      execFileSync("mount", ["-o", "remount,bind,ro", seamHome]);
    },
    undo: (machine) => void execFileSync("umount", ["-l", machine.stage.seamHome]),
    call: AS_CHOSEN,
    told: WITHOUT_DAEMON,
  },
  {
    name: "HOME is not set",
    gate: "user",
    env: ({ stage }) => ({
      HOME: undefined,
      SEAM_HOME: undefined,
      CLAUDE_CONFIG_DIR: join(stage.home, ".claude"),
    }),
    call: DECIDES,
    told: NOBODY,
  },
  {
    name: "PATH leads nowhere",
    gate: "user",
    env: () => ({ PATH: "/nowhere" }),
    call: DECIDES,
    told: NOBODY,
  },
  {
    name: "PATH leads nowhere, and the daemon cannot start",
    gate: "user",
    env: () => ({ PATH: "/nowhere" }),
    arrange(machine) {
      machine.stage.stopDaemon();
      machine.write(join(machine.runDir, "journal"), "in the way");
    },
    undo: (machine) => rmSync(join(machine.runDir, "journal")),
    call: AS_CHOSEN,
    told: WITHOUT_DAEMON,
  },
  {
    name: "an extension does not load",
    gate: "user",
    arrange: (machine) => appendFileSync(machine.gate, "\nthis is not a program(\n"),
    call: AS_CHOSEN,
    told: {
      critical: ["model", "log", "status", "doctor"],
      ordinary: ["log", "status", "doctor"],
    },
  },
  {
    name: "a program deleted an extension of the user",
    gate: "user",
    arrange: (machine) => rmSync(machine.gate),
    call: OPEN,
    told: { critical: ["log", "status", "doctor"], ordinary: [] },
  },
];
