import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { isRunning, pidIn } from "../../files/index.ts";
import { builtFile } from "../../settings/index.ts";
import { ensureClient } from "../client/ensure-client.ts";
import { type TestPlace, testPlace, until } from "./setup.ts";

/** What is built from these sources before the tests. */
export const OWN_BUILD = dirname(builtFile(".built"));

export interface ProcessPlace extends TestPlace {
  /** What the recorder was given, a line each: number, id, hook. */
  recorded(): string[];
  /** The daemon's process; undefined if there is none. */
  runs(): number | undefined;
  /** How often a daemon has started. */
  starts(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/**
 * A place whose hook client starts a real daemon in a process of its own: the built one, with all
 * agents, and a recorder that appends to a file, each number once, as a recorder has to. `built`:
 * the build it runs from. `isBusy`: a service in it is at work for as long as it lives.
 */
export function processPlace({
  native = true,
  built = OWN_BUILD,
  isBusy = false,
} = {}): ProcessPlace {
  const place = testPlace();
  const recordedFile = join(place.home, "recorded");
  const text = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const made: ProcessPlace = {
    ...place,
    recorded: () => text(recordedFile).split("\n").filter(Boolean),
    runs: () => {
      const pid = pidIn(text(place.pid) || "0");
      return isRunning(pid) ? pid : undefined;
    },
    starts: () => text(place.log).split("the daemon runs").length - 1,
    kill: async (signal) => {
      const pid = made.runs();
      if (pid === undefined) return;
      process.kill(pid, signal);
      await until(() => !isRunning(pid));
    },
  };
  writeFileSync(join(place.home, "daemon.mjs"), daemonScript(built, isBusy));
  ensureClient(place.home, { seam: join(place.home, "daemon.mjs"), native });
  onTestFinished(() => made.kill("SIGKILL"));
  return made;
}

function daemonScript(built: string, isBusy: boolean): string {
  return `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { ALL_AGENTS } from ${JSON.stringify(`${built}/agents/index.js`)};
import { serve } from ${JSON.stringify(`${built}/daemon/index.js`)};

const file = process.env.SEAM_HOME + "/recorded";
const before = existsSync(file) ? readFileSync(file, "utf8").trim().split("\\n") : [];
const known = new Set(before.map((line) => Number(line.split(" ")[0])));
const recorder = {
  accept: async ({ seq, id, hook }) => {
    if (known.has(seq)) return;
    known.add(seq);
    appendFileSync(file, [seq, id, hook].join(" ") + "\\n");
  },
  close: async () => {},
};
const services = ${isBusy} ? [() => ({ name: "work", isBusy: () => true })] : [];
await serve({ agents: ALL_AGENTS, recorder, services });
process.exit(0);
`;
}
