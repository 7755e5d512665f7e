import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atMost, type Case } from "../frame.ts";
import { hookCommand, newPlace, type Place } from "./daemon.ts";

const PROCESSES = 20;
const EACH = 100;
const DAEMON = fileURLToPath(new URL("recording-daemon.mjs", import.meta.url));

/** Agents go on while the daemon is killed twice: what becomes of their hooks. */
export async function* killedCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  const total = PROCESSES * EACH;
  say(`${total} hooks of ${PROCESSES} processes while the daemon is killed twice`);
  // The first hook starts the daemon, and so does the first one after it was killed.
  const place = await newPlace(join(folder, "killed"), DAEMON);
  try {
    const startedAt = performance.now();
    const senders = Array.from({ length: PROCESSES }, (_, n) => send(place, n));
    for (const share of [0.3, 0.6]) {
      while (seen(place).length < share * total) await sleep(20);
      kill(place, "SIGKILL");
    }
    await Promise.all(senders);
    const ms = performance.now() - startedAt;
    for (const until = Date.now() + 30_000; seen(place).length < total && Date.now() < until; ) {
      await sleep(50);
    }
    const lines = seen(place);
    const different = new Set(lines.map((line) => line.split(" ")[1])).size;
    const detail = [
      { name: "hooks sent", value: total, unit: "" },
      { name: "recorded", value: lines.length, unit: "" },
      { name: "all of it", value: ms / 1000, unit: "s" },
    ];
    const common = { bar: 0, unit: "hooks", detail };
    yield atMost({ name: "lost after two SIGKILLs", value: total - different, ...common });
    yield atMost({ name: "recorded twice", value: lines.length - different, ...common });
  } finally {
    kill(place, "SIGTERM");
  }
}

/** One process that runs hook after hook, each with a session id of its own. */
async function send(place: Place, sender: number): Promise<void> {
  const script = `n=0; while [ $n -lt ${EACH} ]; do
    printf '{"session_id":"${sender}-%s","cwd":"${place.elsewhere}","hook_event_name":"Stop"}' $n |
      sh -c '${hookCommand().replaceAll("'", "'\\''").replace("PreToolUse", "Stop")}' || exit 1
    n=$((n + 1)); done`;
  const child = spawn("sh", ["-c", script], {
    cwd: place.elsewhere,
    env: place.env,
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`A hook ended with ${code}.`);
}

function seen({ home }: Place): string[] {
  const file = join(home, "recorded");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

function kill({ home }: Place, signal: NodeJS.Signals): void {
  try {
    process.kill(Number.parseInt(readFileSync(join(home, "run/pid"), "utf8"), 10), signal);
  } catch {
    // It is gone already.
  }
}
