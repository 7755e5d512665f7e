/** A daemon of the built Seam, in folders of its own, and the hooks of an agent for it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DIST } from "../built.ts";

// Typed by the sources: this file must also pass the type check where nothing is built.
type DaemonRoom = typeof import("../../src/daemon/index.ts");

const SEAM = fileURLToPath(new URL("bin/seam.js", DIST));

/** Asks before dangerous commands: one handler that looks at every call. */
const EXTENSION = `export default (pi) => pi.on("tool_call", (event) =>
  /\\brm\\s+-rf\\b/.test(String(event.input.command)) ? { block: true, reason: "no" } : undefined);`;

export interface Place {
  readonly home: string;
  /** With an extension. */
  readonly project: string;
  /** Without one. */
  readonly elsewhere: string;
  readonly env: NodeJS.ProcessEnv;
}

/** `seam`: the program that hooks start as the daemon. */
export async function newPlace(folder: string, seam = SEAM): Promise<Place> {
  const home = join(folder, "home");
  const project = join(folder, "project");
  const elsewhere = join(folder, "elsewhere");
  for (const one of [home, elsewhere, join(project, ".seam/extensions")]) {
    mkdirSync(one, { recursive: true });
  }
  mkdirSync(join(elsewhere, ".seam"), { recursive: true });
  writeFileSync(join(project, ".seam/extensions/gate.ts"), EXTENSION);
  // This variable slows Node 20 alone, and would flatter the hook.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const place = { home, project, elsewhere, env: { ...env, SEAM_HOME: home } };
  const options = { cwd: project, env: place.env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, [SEAM, "trust", "--yes"], options);
  if (status !== 0) throw new Error(`seam trust ended with ${status}: ${stderr}`);
  const { ensureClient }: DaemonRoom = await import(new URL("daemon/index.js", DIST).href);
  ensureClient(home, { seam });
  return place;
}

/** Starts the daemon in the foreground of this process's children, so that it ends with them. */
export async function startDaemon(place: Place, script = SEAM): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, "daemon", "serve"], {
    env: place.env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilThere(place);
  return child;
}

export async function untilThere({ home }: Place): Promise<void> {
  for (const until = Date.now() + 20_000; !existsSync(join(home, "run/port")); await sleep(20)) {
    if (Date.now() > until) throw new Error("The daemon did not start.");
  }
}

export async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "exit");
  child.kill("SIGTERM");
  await closed;
}

/** What Claude Code says before it runs a command. */
export function payload(place: Place, session: string, command: string, cwd = place.project) {
  return JSON.stringify({
    session_id: session,
    transcript_path: join(place.home, `${session}.jsonl`),
    cwd,
    prompt_id: "5585c804",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "what it does" },
    tool_use_id: `toolu_${session}`,
  });
}

/** The command as it stands in an agent's settings; `client`: which of the files in bin is run. */
export function hookCommand(client = "hook"): string {
  return `h="\${SEAM_HOME:-$HOME/.seam}/bin/${client}"; [ -x "$h" ] && exec "$h" claude-code PreToolUse; exit 0`;
}

/** One hook, from the agent's point of view: through a shell, payload on stdin. */
export function hookStart(place: Place, input: string, client?: string) {
  return {
    path: "/bin/sh",
    args: ["-c", hookCommand(client)],
    options: { cwd: place.project, env: place.env, input },
  };
}

/** Milliseconds of one hook that is started by this process. */
export function timeHook(place: Place, input: string, client?: string): number {
  const { path, args, options } = hookStart(place, input, client);
  const startedAt = performance.now();
  const ended = spawnSync(path, args, { ...options, encoding: "utf8" });
  const ms = performance.now() - startedAt;
  checkHook(input, ended);
  return ms;
}

/** Throws unless the hook blocks what it has to, and says nothing else. */
export function checkHook(
  input: string,
  { status, stdout, stderr }: { status: number | null; stdout: string; stderr: string },
): void {
  const blocks = input.includes("rm -rf");
  if (status !== 0 || stderr !== "" || stdout.includes("deny") !== blocks) {
    throw new Error(`The hook ended with ${status}: ${stdout} ${stderr}`);
  }
}

/** The client without its faster ways to the daemon. */
export function onlyWithNode({ home }: Place): string {
  const text = readFileSync(join(home, "bin/hook.sh"), "utf8")
    .replace(/^perl=.*$/m, "perl=")
    .replaceAll("command -v curl", "false");
  writeFileSync(join(home, "bin/hook-node"), text, { mode: 0o700 });
  return "hook-node";
}

export function onlyWithCurl({ home }: Place): string {
  const text = readFileSync(join(home, "bin/hook.sh"), "utf8").replace(/^perl=.*$/m, "perl=");
  writeFileSync(join(home, "bin/hook-curl"), text, { mode: 0o700 });
  return "hook-curl";
}
