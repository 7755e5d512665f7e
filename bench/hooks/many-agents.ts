import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atLeast, atMost, type Case, interleave, median } from "../frame.ts";
import { end, newPlace, type Place, payload, startDaemon } from "./daemon.ts";

const FEW = 5;
const MANY = 50;
/** Hooks a second, of all agents together. */
const RATE = 200;
const ROUND_MS = 3_000;
const ROUNDS = { rounds: 5, warmUps: 1 };

interface Crowd {
  readonly place: Place;
  readonly pid: number;
  readonly calls: readonly string[];
  readonly token: string;
}

/** Whether it matters to one agent how many others work at the same time, all with one extension. */
export async function* manyAgentsCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(`${MANY} agents beside ${FEW}`);
  const places = [await newPlace(join(folder, "5")), await newPlace(join(folder, "50"))] as const;
  const daemons = [await startDaemon(places[0]), await startDaemon(places[1])] as const;
  try {
    const few = await crowd(places[0], daemons[0].pid ?? 0, FEW);
    const many = await crowd(places[1], daemons[1].pid ?? 0, MANY);
    const steady = await interleave(
      { few: () => atFixedRate(few), many: () => atFixedRate(many) },
      ROUNDS,
    );
    const memory = { few: residentMb(few), many: residentMb(many) };
    const fast = await interleave(
      { few: () => atFullSpeed(few), many: () => atFullSpeed(many) },
      ROUNDS,
    );
    const both = (values: { few: number; many: number }, unit: string) => [
      { name: `${MANY} agents`, value: values.many, unit },
      { name: `${FEW} agents`, value: values.few, unit },
    ];
    const slow = { few: median(steady.few), many: median(steady.many) };
    const hooks = { few: median(fast.few), many: median(fast.many) };
    yield atMost({
      name: `p99 of a hook, ${MANY} agents with one extension, ${RATE} hooks a second in all`,
      value: slow.many / slow.few,
      bar: 2,
      unit: `times that with ${FEW} agents`,
      detail: both(slow, "ms"),
    });
    yield atMost({
      name: "the daemon's memory then",
      value: memory.many / memory.few,
      bar: 2,
      unit: `times that with ${FEW} agents`,
      detail: both(memory, "MB"),
    });
    yield atLeast({
      name: "hooks a second at full speed",
      value: hooks.many / hooks.few,
      bar: 0.7,
      unit: `of those with ${FEW} agents`,
      detail: both(hooks, ""),
    });
  } finally {
    for (const daemon of daemons) await end(daemon);
  }
}

/** Agents whose extensions are loaded: each has been told no once. */
async function crowd(place: Place, pid: number, agents: number): Promise<Crowd> {
  const token = readFileSync(join(place.home, "run/token"), "utf8");
  const names = Array.from({ length: agents }, (_, n) => `agent-${n}`);
  const calls = names.map((name) => payload(place, name, "ls -la"));
  const made = { place, pid, calls, token };
  for (const name of names) {
    const answer = await ring(made, payload(place, name, "rm -rf /"));
    if (!answer.includes("deny")) throw new Error(`The extension was not asked: ${answer}`);
  }
  return made;
}

/** The 99th percentile of what a hook took, in milliseconds. */
async function atFixedRate(crowd: Crowd): Promise<number> {
  const times: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  const total = (ROUND_MS * RATE) / 1_000;
  for (let sent = 0; sent < total; sent++) {
    // By the clock, not by the last answer: a daemon that falls behind is not spared.
    const due = startedAt + (sent * 1_000) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    const call = crowd.calls[sent % crowd.calls.length] ?? "";
    underWay.push(
      ring(crowd, call).then(() => {
        times.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(underWay);
  times.sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

/** Hooks a second if every agent has its next one as soon as the last is answered. */
async function atFullSpeed(crowd: Crowd): Promise<number> {
  const startedAt = performance.now();
  let answered = 0;
  const work = async (call: string) => {
    while (performance.now() - startedAt < ROUND_MS) {
      await ring(crowd, call);
      answered++;
    }
  };
  await Promise.all(crowd.calls.map(work));
  return (answered * 1_000) / (performance.now() - startedAt);
}

function residentMb({ pid }: Crowd): number {
  const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1]) / 1_024;
}

/** A hook straight to the daemon, on a connection of its own, as clients do. */
function ring({ place, token }: Crowd, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        socketPath: join(place.home, "run/daemon.sock"),
        method: "POST",
        path: "/v1/hook?agent=claude-code&hook=PreToolUse",
        headers: { host: "seam", "x-seam-token": token },
        agent: false,
      },
      (response) => {
        let text = "";
        response.on("data", (data: Buffer) => {
          text += data.toString("utf8");
        });
        response.once("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`The daemon answered ${response.statusCode}.`));
        });
      },
    );
    asked.once("error", reject);
    asked.end(body);
  });
}
