import type { Command } from "commander";
import {
  AGENTS,
  checkUp,
  type Finding,
  type Health,
  isConcerned,
  isEnabled,
  LEVELS,
  type Standing,
  standingOf,
} from "../../agents/index.ts";
import type { CheckUp } from "../../crew/index.ts";
import {
  checkClient,
  type DaemonPaths,
  type DaemonStatus,
  daemonPaths,
  describeMissed,
  keptAtHome,
  lookForDaemon,
  missedHooks,
  unwritable,
} from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { openRepo, type Repo } from "../../git/index.ts";
import { alerts } from "../../protection/index.ts";
import {
  keptInRepo,
  mergedProblems,
  type RecordStatus,
  recordStatus,
  redactionProblems,
} from "../../record/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import { leftText } from "../crew/left-text.ts";
import { daemonHangs } from "../enable/check-daemon.ts";
import { extensionLines, extensionsHere } from "../enable/extensions-here.ts";
import { type Here, here } from "../enable/here.ts";
import { otherWorkTrees, sayWorkTrees } from "../enable/other-work-trees.ts";
import { paint, printJson, printLine } from "../print.ts";
import { agentType, plural, when } from "../record/format.ts";
import { keptLines } from "../record/kept-lines.ts";
import { hanging } from "../record/lines.ts";
import { shownPath } from "../shown-path.ts";
import { table } from "../table.ts";

export function addStatus(program: Command): void {
  program
    .command("status")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  seam status\n  seam status --json")
    .action(show);
}

async function show({ json }: { json?: boolean }): Promise<void> {
  const at = here();
  const agents = await Promise.all(standings(at).map((standing) => withStops(standing, at)));
  const paths = daemonPaths(at.store);
  const { status: daemon, silent } = await lookForDaemon(paths);
  const trouble = unwritable(paths);
  const { changed } = checkClient(paths);
  const missed = missedHooks(paths);
  const alarms = alerts(at.store);
  const extensions = await extensionsHere(process.cwd(), daemon?.leftOut);
  const repo = await openRepo(process.cwd()).catch(() => undefined);
  const record = repo && (await recordOf(repo, daemon));
  const isOurs = record && record.refused === undefined;
  const inRepo = repo && isOurs ? await keptInRepo(repo).catch(() => undefined) : undefined;
  const home = keptAtHome(paths);
  const { keepDays } = loadUserSettings();
  const others = repo ? await otherWorkTrees(repo, at.store) : [];
  const patterns = record?.enabled ? redactionProblems() : [];
  const crews = daemon && (await crewsNow(paths));
  if (json) {
    return printJson({
      project: at.isProject ? at.place.project : undefined,
      agents: agents.map(({ agent, level, health, used, stops, mcp }) => ({
        agent: agent.name,
        level,
        health,
        runs: isEnabled({ health }) && !stops?.all,
        ...(stops && { why: stops.why }),
        files: used,
        ...(mcp.isWanted && { mcp: { health: mcp.health, files: mcp.files } }),
      })),
      daemon: daemon ?? (silent === undefined ? null : { silent }),
      ...(trouble !== undefined && { trouble }),
      ...(changed.length > 0 && { clientChanged: changed }),
      ...(missed.length > 0 && { missed }),
      ...(alarms.length > 0 && { alarms }),
      record: record ?? null,
      kept: { ...(inRepo && { repository: inRepo }), home, days: keepDays },
      ...(others.length > 0 && { otherWorkTrees: others }),
      ...(patterns.length > 0 && { redaction: patterns.map((problem) => problem.toJSON()) }),
      ...(crews && { crews }),
      extensions: extensions.running,
      notRunning: extensions.notRunning,
      untrusted: extensions.untrusted,
      problems: extensions.problems.map((problem) => problem.toJSON()),
    });
  }
  say(`${paint("bold", "Agents")}  ${at.isProject ? at.place.project : "no project here"}`);
  if (agents.length === 0) {
    say(`  none calls Seam ${others.length > 0 ? "in this work tree" : "yet"}: seam enable`);
  }
  const rows = agents.map(({ agent, level, health, used, recorded, stops }) => [
    `  ${agent.type}`,
    level,
    healthLine(health, stops),
    [...(used.length > 0 ? used : recorded)].map((path) => shownPath(path)).join(", "),
  ]);
  for (const line of table(rows)) say(line);
  for (const line of serverLines(agents)) say(line);
  say(`${paint("bold", "Daemon")}  ${daemonLine(daemon, silent)}`);
  for (const why of daemon?.troubles ?? []) say(`  ${paint("red", why)}`);
  if (trouble !== undefined) {
    say(`  ${paint("red", trouble)}: what agents do is not recorded`);
  }
  if (changed.length > 0) {
    const text = `The hook client was changed since Seam wrote it (${changed.join(", ")})`;
    say(`  ${paint("red", text)}: gates may be open: seam doctor --fix`);
  }
  for (const { at, files } of daemon?.clientRepairs.slice(-1) ?? []) {
    const text = `The hook client was changed or removed (${files.join(", ")}) and is written again`;
    say(`  ${when(at)}  ${paint("yellow", text)}`);
  }
  for (const one of missed) {
    say(`  ${when(one.lastAt)}  ${paint("yellow", describeMissed(one))}`);
  }
  for (const { at: then, text } of alarms) say(`  ${when(then)}  ${paint("red", text)}`);
  if (alarms.length > 0) say("  To put right what can be, and forget these: seam doctor --fix");
  if (record) say(`${paint("bold", "Record")}  ${recordLine(record)}`);
  if (others.length > 0) say(`  other work trees: ${sayWorkTrees(others)}`);
  for (const { agent, phase, pending_files, session_id, work_tree } of record?.sessions ?? []) {
    const { length } = pending_files;
    const waits = length > 0 ? `, ${plural(length, "file")} in no commit yet` : "";
    const where = work_tree === repo?.workTree ? "" : `, in ${shownPath(work_tree)}`;
    say(`  ${agentType(agent)}  ${session_id}  ${phase}${waits}${where}`);
  }
  if (record?.damage) say(`  ${paint("red", record.damage)}`);
  if (record?.brokenRewind) {
    const ways = "complete it with seam rewind, or take it back with seam rewind --undo";
    say(`  ${paint("yellow", "A rewind was broken off")}: ${ways}`);
  }
  for (const { message, next } of patterns) {
    say(`  ${paint("yellow", message)}`);
    say(`  ${next}`);
  }
  for (const line of problemLines(record)) say(line);
  if (crews) say(`${paint("bold", "Crews")}   ${crewsLine(crews)}`);
  for (const line of keptLines(inRepo, home, keepDays)) say(line);
  for (const line of extensionLines(extensions)) say(line);
}

type Crews = CheckUp | { readonly trouble: string };

/** Undefined where nobody has used crews. */
async function crewsNow(paths: DaemonPaths): Promise<Crews | undefined> {
  const { checkCrews } = await import("../../crew/index.ts");
  return checkCrews(paths).catch((error: unknown) => ({ trouble: messageOf(error) }));
}

function crewsLine(crews: Crews): string {
  if ("trouble" in crews) return paint("red", crews.trouble);
  const { running, waiting, orphans, lost, left } = crews;
  const bad = orphans.length + lost.length;
  const branches = left.flatMap(({ runs, strays }) => [
    ...runs.flatMap((r) => r.branches),
    ...strays,
  ]);
  const worktrees = left.reduce((sum, one) => sum + one.worktrees, 0);
  const rest = leftText(branches.length, worktrees);
  const parts = [
    ...(running > 0 ? [`${plural(running, "run")} under way`] : []),
    ...(waiting.length > 0 ? [`${plural(waiting.length, "run")} waiting: seam crew status`] : []),
    ...(bad > 0 ? [paint("yellow", "something is not as it should be: seam doctor")] : []),
  ];
  const now = parts.length > 0 ? parts.join(", ") : "nothing under way";
  return rest === "" ? now : `${now}; ${rest} left of runs that are over: seam crew clean`;
}

/** Hooks that are in place are not yet hooks that run. */
function healthLine(health: Health, stops: Finding["stops"]): string {
  if (stops?.all) return `does not run, ${stops.why}: seam doctor`;
  if (health !== "installed") return SAID[health];
  return stops ? `enabled, ${stops.why}` : "enabled";
}

/** Which agents have Seam's MCP server, and whether it is still there. */
function serverLines(standings: readonly Standing[]): string[] {
  const wanted = standings.filter(({ mcp }) => mcp.isWanted);
  const names = wanted.filter(({ mcp }) => mcp.health === "installed").map(({ agent }) => agent);
  const broken = wanted.filter(({ mcp }) => mcp.health !== "installed");
  return [
    ...(names.length > 0 ? [`  MCP server: ${names.map(({ type }) => type).join(", ")}`] : []),
    ...broken.map(({ agent, mcp }) => {
      const said = mcp.health === "installed" ? "" : SAID[mcp.health];
      return `  ${paint("yellow", `MCP server of ${agent.type} ${said}`)}`;
    }),
  ];
}

/** What keeps hooks that are in place from running, if anything does. */
async function withStops(standing: Standing, at: Here): Promise<Standing & Pick<Finding, "stops">> {
  if (!isEnabled(standing)) return standing;
  const findings = await checkUp(standing, at).catch(() => []);
  const all = findings.flatMap(({ stops }) => stops ?? []);
  const stops = all.find((one) => one.all) ?? all[0];
  return { ...standing, ...(stops && { stops }) };
}

const SAID = {
  none: "gone: seam doctor",
  outdated: "changed, or of another version: seam doctor --fix",
  damaged: "cannot be read: seam doctor",
} as const;

/** Agents that call Seam, or should: what was enabled and is gone is shown too. */
function standings(at: Here): Standing[] {
  const levels = LEVELS.filter((level) => level === "user" || at.isProject);
  return AGENTS.flatMap((agent) => levels.map((level) => standingOf(agent, level, at))).filter(
    isConcerned,
  );
}

async function recordOf(
  repo: Repo,
  daemon: DaemonStatus | undefined,
): Promise<RecordStatus | undefined> {
  const found = await recordStatus(repo).catch(() => undefined);
  if (!found) return undefined;
  // Of a disk that is full or must not be written to, only the daemon can tell.
  const untold = (daemon?.problems ?? [])
    .filter(({ repository }) => repository === repo.commonDir)
    .map(({ at, text, count }) => ({ at, text, count }));
  return { ...found, problems: mergedProblems(found.problems, untold) };
}

const SHOWN_PROBLEMS = 5;

/** The newest first. */
function problemLines(record: RecordStatus | undefined): string[] {
  const all = [...(record?.problems ?? [])].reverse();
  if (all.length === 0) return [];
  const lines = all.slice(0, SHOWN_PROBLEMS).map(({ at, text, count }) => {
    const often = count > 1 ? ` (${count} times)` : "";
    return `  ${when(at)}  ${text}${often}`;
  });
  const more = all.length - SHOWN_PROBLEMS;
  if (more > 0) lines.push(`  and ${more} more: seam status --json`);
  return [paint("yellow", "  Not recorded, or not completely, in the last 7 days:"), ...lines];
}

function recordLine(record: RecordStatus): string {
  const { enabled, repository, leftOut, awaited, hooks, checkpoints, unsynced, refused } = record;
  if (refused !== undefined) return paint("red", refused);
  if (awaited) return "on from the first prompt on, as in every repository of yours";
  if (!enabled) {
    const where = repository || leftOut ? "work tree" : "repository";
    return `off in this ${where}; switch it on: seam enable`;
  }
  const damaged = Object.values(hooks).some((health) => health !== "ok");
  const said = [plural(checkpoints, "checkpoint")];
  if (unsynced > 0) said.push(`${unsynced} on this machine only`);
  if (damaged) said.push("git hooks are damaged: seam doctor --fix");
  return said.join(", ");
}

function daemonLine(daemon: DaemonStatus | undefined, silent: number | undefined): string {
  if (silent !== undefined) return paint("red", daemonHangs(silent));
  if (!daemon) return "not running; the first hook starts it";
  const { pid, sessions } = daemon;
  return `process ${pid}, ${plural(sessions, "session")} known`;
}

/** On a narrow terminal words are not broken in two. */
function say(line: string): void {
  for (const part of hanging(line)) printLine(part);
}
