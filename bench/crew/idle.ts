import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Libsql from "libsql";
import { atMost, type Case } from "../frame.ts";
import { CrewScratch } from "./scratch.ts";

const FINISHED = 100;
const WAITING = 5;
const SECONDS = 30;
/** After its start V8 tidies up for a while, in threads of its own: only then is a daemon idle. */
const SETTLE_MS = 30_000;

/** What a daemon does while 100 runs are over and 5 wait for a person. */
export async function idleCase(say: (text: string) => void): Promise<Case> {
  const scratch = new CrewScratch();
  const model = scratch.script("one", [{ text: "Done." }]);
  const task = (keys: string) => [
    `## one\nrole: walker\naccess: read\nagent: seam:${model}\n${keys}\nSay it.\n`,
  ];
  scratch.workflow("quick", "", task(""));
  scratch.workflow("asking", "", task("approve: true\n"));
  try {
    say("runs that are over, and runs that wait");
    await scratch.seam("crew", "run", "quick", "Done.", "--json");
    for (let at = 0; at < WAITING; at++) {
      await scratch.seam("crew", "run", "asking", "Wait.", "--detach", "--json");
    }
    await scratch.seam("daemon", "stop");
    multiply(join(scratch.home, "crew/crew.db"));
    await scratch.seam("crew", "list", "--json");
    const { pid } = JSON.parse(await scratch.seam("daemon", "status", "--json"));
    await sleep(SETTLE_MS);
    const before = wakeups(pid);
    await sleep(SECONDS * 1_000);
    const woken = (wakeups(pid) - before) / SECONDS;
    return atMost({
      name: `wake-ups of an idle daemon with ${FINISHED} finished and ${WAITING} waiting runs`,
      value: woken,
      bar: 5,
      unit: "a second",
      detail: [],
    });
  } finally {
    await scratch.remove();
  }
}

/** Makes many runs that are over of the one that is. */
function multiply(file: string): void {
  const database = new Libsql(file);
  for (let at = 1; at < FINISHED; at++) {
    const id = `copy${String(at).padStart(4, "0")}`;
    database.exec(`
      INSERT INTO crew_runs SELECT '${id}', state, repository, origin, pool, started_at, replace(data, id, '${id}')
        FROM crew_runs WHERE state = 'done' AND id NOT LIKE 'copy%';
      INSERT INTO crew_tasks SELECT '${id}', t.id, position, t.state, t.data FROM crew_tasks AS t
        JOIN crew_runs AS r ON r.id = t.run WHERE r.state = 'done' AND r.id NOT LIKE 'copy%';
    `);
  }
  database.close();
}

/** How often the threads of a process were woken: each time they gave up the processor of themselves. */
function wakeups(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return sum + Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}
