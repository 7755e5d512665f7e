import { existsSync, readFileSync, statSync, watchFile } from "node:fs";
import type { Command } from "commander";
import { ALL_AGENTS } from "../../agents/index.ts";
import {
  type DaemonStatus,
  daemonPaths,
  installService,
  isServiceInstalled,
  Log,
  launchDaemon,
  loginService,
  lookForDaemon,
  parseLogLine,
  RecordThread,
  reloadDaemon,
  type StartService,
  serve,
  stopDaemon,
  uninstallService,
} from "../../daemon/index.ts";
import { usageError } from "../../errors/index.ts";
import { packageVersion } from "../../settings/index.ts";
import { daemonHangs } from "../enable/check-daemon.ts";
import { paint, printJson, printLine } from "../print.ts";
import { when } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";
import { table } from "../table.ts";

interface Json {
  json?: boolean;
}

/** What lives in the daemon beside the hooks. Loaded when hooks are answered already. */
const SERVICES: readonly StartService[] = [
  async (daemon) => (await import("../../search/index.ts")).startSearch(daemon),
  async (daemon) => (await import("../../crew/index.ts")).startCrews(daemon),
  async (daemon) => (await import("../../view/index.ts")).viewService(daemon),
  async (daemon) => {
    const { mcpService, searchTool } = await import("../../mcp/index.ts");
    const { crewTools } = await import("../../crew/index.ts");
    return mcpService([searchTool(daemon.paths), ...crewTools(daemon.paths)])(daemon);
  },
];

export function addDaemon(program: Command): void {
  const daemon = program.command("daemon").addHelpText(
    "after",
    `
The first hook of an agent starts it, an hour without one ends it. It stays
while it watches an agent without hooks (aider); after a restart of the machine
only seam daemon install brings it back by itself.

Examples:
  seam daemon status
  seam daemon install
  seam daemon logs --follow`,
  );
  daemon
    .command("status")
    .description("say whether it runs; exit code 1 if not")
    .option("--json", "print JSON")
    .action(status);
  daemon
    .command("start")
    .description("start it, if it does not run")
    .option("--json", "print JSON")
    .action(start);
  daemon
    .command("stop")
    .description("let it finish its answers and end")
    .option("--json", "print JSON")
    .action(stop);
  daemon
    .command("reload")
    .description("let it find and load all extensions anew")
    .option("--json", "print JSON")
    .action(reload);
  daemon
    .command("logs")
    .description("print its log")
    .option("-n, --number <count>", "how many lines", "50")
    .option("-f, --follow", "go on with what is written from now on")
    .option("--json", "print JSON, one object a line")
    .action(logs);
  daemon
    .command("install")
    .description("start it at every login, and now: with systemd on Linux, launchd on macOS")
    .option("--json", "print JSON")
    .action(install);
  daemon
    .command("uninstall")
    .description("do not start it at login any more")
    .option("--json", "print JSON")
    .action(uninstall);
  daemon
    .command("serve", { hidden: true })
    .description("be the daemon")
    .option("--stay", "never end for want of work")
    .action(async ({ stay = false }: { stay?: boolean }) => {
      const log = new Log(daemonPaths().log);
      const recorder = new RecordThread({
        version: packageVersion(),
        log: (level, text, error) =>
          error === undefined ? log.write(level, text) : log.failed(text, error),
      });
      const wasDaemon = await serve({
        agents: ALL_AGENTS,
        recorder,
        stays: stay,
        services: SERVICES,
      });
      // Everything is kept by now. An exit would wait for threads, and one that the system holds
      // in a call never ends.
      if (wasDaemon) process.kill(process.pid, "SIGKILL");
      process.exit(0);
    });
}

async function status({ json }: Json): Promise<void> {
  const paths = daemonPaths();
  const { status: found, silent } = await lookForDaemon(paths);
  if (!found) process.exitCode = 1;
  const hangs = silent !== undefined && { silent };
  if (json) printJson({ running: found !== undefined, ...found, ...hangs, log: paths.log });
  else if (found) describe(found);
  else if (silent !== undefined) printLine(daemonHangs(silent));
  else printLine("The daemon does not run. The next hook starts it, or: seam daemon start");
}

async function start({ json }: Json): Promise<void> {
  const started = await launchDaemon(daemonPaths());
  if (json) printJson({ running: true, ...started });
  else describe(started);
}

async function stop({ json }: Json): Promise<void> {
  const stopped = await stopDaemon(daemonPaths());
  const restarts = isServiceInstalled();
  if (json) {
    const ended = { stopped: stopped !== "absent", killed: stopped === "killed" };
    printJson({ ...ended, ...(restarts && { restarts }) });
    return;
  }
  printLine(STOPPED[stopped]);
  if (restarts) {
    printLine("The system starts it again in a few seconds, as seam daemon install asked it to.");
    printLine("To end it for good: seam daemon uninstall");
  }
}

async function install({ json }: Json): Promise<void> {
  // The one that runs was not started by the system: it makes room.
  const service = await installService(loginService(), () => stopDaemon(daemonPaths()));
  if (json) printJson({ installed: true, kind: service.kind, file: service.file });
  else {
    printLine(`${paint("green", "✓")} ${shownPath(service.file)}`);
    printLine("The daemon starts at every login. Undo: seam daemon uninstall");
  }
}

async function uninstall({ json }: Json): Promise<void> {
  const removed = await uninstallService();
  if (json) printJson({ removed });
  else {
    printLine(
      removed
        ? "The daemon does not start at login any more; the next hook starts it."
        : "The daemon was not set up to start at login.",
    );
  }
}

const STOPPED = {
  ended: "The daemon has ended.",
  killed: "The daemon did not answer and was killed. The next one goes on where it was.",
  absent: "The daemon did not run.",
};

async function reload({ json }: Json): Promise<void> {
  const reloaded = await reloadDaemon(daemonPaths());
  if (json) printJson({ reloaded });
  else printLine(reloaded ? "Extensions are loaded anew." : "The daemon does not run.");
}

function describe(status: DaemonStatus): void {
  const {
    pid,
    startedAt,
    port,
    sessions,
    workers,
    threads,
    listeners,
    unrecorded,
    watched = 0,
  } = status;
  const rows = [
    ["process", String(pid)],
    ["since", when(new Date(startedAt).toISOString())],
    ["socket", shownPath(daemonPaths().socket)],
    ["port", `127.0.0.1:${port}`],
    ["sessions", `${sessions}, ${workers} with extensions in ${threads} threads`],
    ["followers", String(listeners)],
    ["to record", String(unrecorded)],
    ["watched", `${watched} ${watched === 1 ? "folder" : "folders"}`],
    ["at login", isServiceInstalled() ? "yes" : "no (seam daemon install)"],
  ];
  for (const line of table(rows)) printLine(line);
  for (const trouble of status.troubles ?? []) printLine(paint("red", trouble));
}

function logs({ number, follow, json }: Json & { number: string; follow?: boolean }): void {
  const count = Number(number);
  if (!Number.isInteger(count) || count < 0) {
    throw usageError(
      `--number ${number} is not a number of lines.`,
      "It is a whole number, 0 or more.",
    );
  }
  const { log } = daemonPaths();
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const all = text.split("\n").filter(Boolean);
  if (all.length === 0 && !json) printLine("The log is empty.");
  for (const line of count === 0 ? [] : all.slice(-count)) printLog(line, json);
  if (follow) followLog(log, Buffer.byteLength(text), json);
}

function printLog(line: string, json: boolean | undefined): void {
  const parsed = parseLogLine(line);
  if (json) {
    printLine(JSON.stringify(parsed ?? { text: line }));
    return;
  }
  if (!parsed) {
    printLine(line);
    return;
  }
  const { at, level, text } = parsed;
  const colour = level === "error" ? "red" : level === "warn" ? "yellow" : "dim";
  printLine(`${paint("dim", at)} ${paint(colour, level.padEnd(5))} ${text}`);
}

function followLog(path: string, from: number, json: boolean | undefined): void {
  let done = from;
  watchFile(path, { interval: 300 }, () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // It has started anew.
    if (size < done) done = 0;
    const text = readFileSync(path).subarray(done).toString("utf8");
    const end = text.lastIndexOf("\n") + 1;
    done += Buffer.byteLength(text.slice(0, end));
    for (const line of text.slice(0, end).split("\n").filter(Boolean)) printLog(line, json);
  });
}
