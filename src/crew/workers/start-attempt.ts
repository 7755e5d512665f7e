import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Agent,
  agentNamed,
  checkUp,
  type Headless,
  hookCommand,
  isEnabled,
  LEVELS,
  programPath,
  standingOf,
} from "../../agents/index.ts";
import { ensureClient, RING } from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { processStart, replaceFile } from "../../files/index.ts";
import { builtFile } from "../../settings/index.ts";
import { walls } from "../containment/walls.ts";
import { attemptFiles } from "./attempt-files.ts";
import { writeGrant } from "./attempt-grant.ts";
import {
  ATTEMPT_MARK,
  bootId,
  endProcesses,
  lives,
  type NamedProcess,
  processIn,
  sleptSeconds,
  wallsIn,
} from "./attempt-process.ts";
import { type AttemptSpec, placeOf } from "./attempt-spec.ts";
import { usedBefore } from "./transcript-use.ts";
import { resultRequest } from "./typed-result.ts";

/**
 * Runs the agent and keeps its exit code. A signal to the whole group must not take away the one who
 * writes down how the agent ended, and must reach the agent itself as it would without it. Walls
 * around it say through the ninth descriptor what they are, in a file that is outside of them. A
 * daemon that is wanted inside of them is started out here, by whoever reads the pipe. That one stays
 * to the end, also where somebody opens the pipe and says nothing: its number must not be another
 * process's by the time it is ended.
 */
const WRAPPER = `trap : TERM INT HUP
node=$1 seam=$2 ring=
shift 2
if [ -n "$SEAM_CREW_RING" ] && rm -f ring && mkfifo ring; then
  while [ -p ring ] && [ -r ring ]; do
    read -r _ <ring || continue
    env -u SEAM_CREW_ATTEMPT -u SEAM_CREW_RING setsid "$node" "$seam" daemon serve </dev/null >/dev/null 2>&1 &
  done &
  ring=$!
fi
"$@" <stdin >>stdout 2>>stderr 9>"$0"
code=$?
[ -n "$ring" ] && kill "$ring"
printf '%s\\n' "$code" >exit.new && mv exit.new exit`;

/** The agent runs in its workspace; what it prints goes into the attempt's folder. */
const IN_WORKSPACE = 'cd -- "$0" && exec "$@"';

/**
 * Starts the agent of an attempt in a process group of its own, which outlives the daemon. An attempt
 * whose folder already names a living process is not started a second time. `inside`: the walls
 * around it, where the caller has looked for them already.
 */
export async function startAttempt(
  spec: AttemptSpec,
  inside?: readonly string[],
): Promise<NamedProcess> {
  const known = processIn(spec.folder);
  if (known && lives(known)) return known;
  const { headless, command } = programOf(spec);
  const files = attemptFiles(spec.folder);
  // A daemon that was killed before it could name what it had started here has left it at work.
  if (!known && existsSync(files.prompt)) {
    await endProcesses(spec.id, undefined, wallsIn(spec.folder));
  }
  mkdirSync(spec.folder, { recursive: true });
  for (const old of [files.exit, files.ended, files.heard, files.stdout, files.stderr]) {
    rmSync(old, { force: true });
  }
  const start = headless.start(await taskOf(spec, headless));
  writeFileSync(files.prompt, spec.prompt);
  writeFileSync(files.stdin, start.stdin);
  if (spec.resume !== undefined) {
    writeFileSync(files.base, JSON.stringify(await usedBefore(spec)));
  }
  if (spec.schema) writeFileSync(files.schema, JSON.stringify(spec.schema));
  for (const [name, text] of Object.entries(start.files ?? {})) {
    const path = join(spec.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const [name, target] of Object.entries(start.links ?? {})) {
    const path = join(spec.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    // What is not there yet would be a link to nowhere.
    if (!existsSync(target)) mkdirSync(target, { recursive: true });
    symlinkSync(target, path);
  }
  await writeGrant(spec);
  const around = inside ?? (await wallsAround(spec));
  const words = [...around, "sh", "-c", IN_WORKSPACE, spec.cwd, ...command, ...start.args];
  const daemon = [process.execPath, builtFile("bin/seam.js")];
  const child = spawn("sh", ["-c", WRAPPER, files.walls, ...daemon, ...words], {
    cwd: spec.folder,
    env: {
      ...environmentOf(spec, start.env),
      [RING]: around.length > 0 ? files.ring : undefined,
    },
    detached: true,
    stdio: "ignore",
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
  child.unref();
  const boot = bootId();
  const named = { pid, processStart: processStart(pid) ?? "", ...(boot !== undefined && { boot }) };
  const since = boot === undefined ? [] : [boot, sleptSeconds().toFixed(1)];
  replaceFile(files.pid, `${[pid, named.processStart, ...since].join(" ").trimEnd()}\n`);
  return named;
}

/** What keeps the agent and all it starts inside of its workspace; empty: nothing does. */
export async function wallsAround(spec: AttemptSpec): Promise<readonly string[]> {
  const { cwd: workspace, home, folder, env } = spec;
  // What is not there yet cannot be left open in them.
  mkdirSync(folder, { recursive: true });
  const userHome = env.HOME ?? homedir();
  const words = await walls({ workspace, home, userHome, folders: [folder] });
  const [program, ...options] = words;
  return program === undefined ? [] : [program, "--json-status-fd", "9", ...options];
}

/** The agent's program, or why it cannot be started. */
function programOf(spec: AttemptSpec): { headless: Headless; command: readonly string[] } {
  const agent = agentNamed(spec.agent);
  if (!agent?.headless) {
    throw new SeamError("SEAM_CREW_AGENT", {
      agent: agent?.type ?? spec.agent,
      detail: "it cannot work without a terminal",
    });
  }
  if (agent.hooks?.inside) {
    return { headless: agent.headless, command: [process.execPath, builtFile("bin/seam.js")] };
  }
  const path = programPath(agent.program, placeOf(spec));
  if (path === undefined) {
    const detail = `its program ${agent.program.command} is not on the PATH`;
    throw new SeamError("SEAM_CREW_AGENT", { agent: agent.type, detail });
  }
  return { headless: agent.headless, command: [path] };
}

async function taskOf(spec: AttemptSpec, headless: Headless) {
  const { prompt, schema, budget } = spec;
  const asks = schema && !headless.takesSchema ? `\n\n${resultRequest(schema)}` : "";
  return {
    ...spec,
    place: placeOf(spec),
    prompt: `${prompt}${asks}`,
    ...(budget.dollars !== undefined && { dollars: budget.dollars }),
    ...(await gifts(spec)),
  };
}

/** Seam's hooks, unless the agent's own configuration has them here: they must not run twice. */
async function gifts(spec: AttemptSpec) {
  const agent = agentNamed(spec.agent);
  if (!agent?.hooks || agent.hooks.inside) return {};
  const client = join(spec.home, "bin", "hook");
  // Whoever never enabled an agent has no client yet.
  if (!existsSync(client)) ensureClient(spec.home);
  const command = (hook: string) => hookCommand(agent.name, hook, spec.home);
  const server = [join(spec.home, "bin", "agentseam-mcp")];
  return {
    ...(!(await hasHooks(agent, spec)) && { hooks: { command } }),
    ...(agent.mcp && { server }),
  };
}

async function hasHooks(agent: Agent, spec: AttemptSpec): Promise<boolean> {
  const setting = { place: placeOf(spec), store: spec.home };
  for (const level of LEVELS) {
    const standing = standingOf(agent, level, setting);
    if (!isEnabled(standing)) continue;
    const findings = await checkUp(standing, setting);
    if (!findings.some(({ stops }) => stops?.all)) return true;
  }
  return false;
}

function environmentOf(
  spec: AttemptSpec,
  own: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  return { ...inherited, ...spec.env, ...own, SEAM_HOME: spec.home, [ATTEMPT_MARK]: spec.id };
}
