import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { SEAM_COMMAND } from "./seam.ts";

const ANSWER = "Hello, I am here.";

/** From the moment a command is entered until its answer begins to appear. */
export async function* startCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("starting the command");
  const home = join(folder, "home");
  const cwd = join(folder, "empty");
  for (const one of [home, cwd]) mkdirSync(one);
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify([{ text: ANSWER, chunkSize: 5 }]));
  const env = { ...process.env, HOME: home, SEAM_HOME: join(home, ".seam") };
  const asked = [SEAM_COMMAND, "run", "-p", "hello", "--model", `scripted:${script}`];
  const inFolder = { cwd, env };
  const series = await interleave(
    { "seam run": () => toFirstOutput(asked, inFolder), "node -e 0": () => toExit(inFolder) },
    { rounds: 40, warmUps: 3 },
  );
  yield atMost({
    name: "seam run -p to the first output",
    value: pairedRatio(series["seam run"], series["node -e 0"]),
    bar: 3,
    unit: "times as long as node -e 0",
    detail: medians(series, "ms"),
  });
}

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Until the first byte; the measurement ends with the command, so that the next one is alone. */
function toFirstOutput(args: readonly string[], options: Surroundings): Promise<number> {
  return new Promise((resolve, reject) => {
    let ms: number | undefined;
    let shown = "";
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const take = (data: Buffer) => {
      shown += data;
    };
    child.stdout.once("data", () => {
      ms = performance.now() - startedAt;
    });
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", reject);
    child.once("close", (code) => {
      if (ms === undefined || code !== 0 || shown.trim() !== ANSWER) {
        reject(new Error(`seam run ended with ${code}: ${shown}`));
      } else resolve(ms);
    });
  });
}

function toExit(options: Surroundings): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ["-e", "0"], { ...options, stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", () => resolve(performance.now() - startedAt));
  });
}
