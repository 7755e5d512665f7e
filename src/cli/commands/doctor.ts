import type { Command } from "commander";
import {
  AGENTS,
  checkTwice,
  checkUp,
  checkVersion,
  enable,
  type Finding,
  isConcerned,
  LEVELS,
  type Standing,
  standingOf,
} from "../../agents/index.ts";
import { ensureClient } from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { Models } from "../../host/index.ts";
import { alerts, clearAlerts } from "../../protection/index.ts";
import { crewFindings } from "../enable/check-crews.ts";
import { daemonFindings } from "../enable/check-daemon.ts";
import { extensionFindings } from "../enable/check-extensions.ts";
import { checkRecord } from "../enable/check-record.ts";
import { type Here, here } from "../enable/here.ts";
import { keepOut, standingInGit } from "../enable/keep-out.ts";
import { findingAsJson, printFindings } from "../enable/print-findings.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

/** What was looked at, and what was found. */
interface Section {
  readonly about: string;
  readonly findings: readonly Finding[];
  /** Puts right what can be put right without asking. */
  readonly fix?: () => void | Promise<void>;
}

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .option("--fix", "put right what is safe to put right")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Looks at the settings of the agents, what they trust, their versions, the hook
client, the daemon, the git hooks, the extensions, crews and models.json. Exit code 1 if
there are errors. --fix writes Seam's own hooks and hook client again; it never
agrees to anything in your name.

Examples:
  seam doctor
  seam doctor --fix`,
    )
    .action(run);
}

async function run({ fix, json }: { fix?: boolean; json?: boolean }): Promise<void> {
  const at = here();
  let sections = await examine(at);
  const fixed: { about: string; text: string }[] = [];
  if (fix) {
    for (const section of sections) {
      if (!section.fix) continue;
      await section.fix();
      const done = section.findings.filter((finding) => finding.fix);
      fixed.push(...done.map(({ text }) => ({ about: section.about, text })));
    }
    if (fixed.length > 0) sections = await examine(at);
  }
  const errors = sections
    .flatMap(({ findings }) => findings)
    .filter(({ level }) => level === "error");
  if (errors.length > 0) process.exitCode = 1;
  if (json) {
    const shown = sections.map(({ about, findings }) => ({
      about,
      findings: findings.map(findingAsJson),
    }));
    return printJson({ ok: errors.length === 0, fixed, sections: shown });
  }
  for (const { about, text } of fixed) printLine(`${paint("green", "fixed")} ${about}: ${text}`);
  for (const { about, findings } of sections) {
    const bad = findings.some(({ level }) => level !== "info");
    printLine(`${bad ? " " : paint("green", "✓")} ${paint("bold", about)}`);
    printFindings(findings);
  }
  if (errors.length > 0) printLine(paint("red", `${errors.length} to put right`));
}

async function examine(at: Here): Promise<Section[]> {
  const levels = LEVELS.filter((level) => level === "user" || at.isProject);
  const standings = AGENTS.flatMap((agent) => levels.map((level) => standingOf(agent, level, at)));
  const wanted = standings.filter(isConcerned);
  const agents = [...new Set(wanted.map(({ agent }) => agent))];
  const sections: Section[] = await Promise.all(wanted.map((standing) => aboutHooks(standing, at)));
  const versions = await Promise.all(
    agents.map(async (agent) => ({
      about: agent.type,
      findings: [
        ...(at.isProject ? checkTwice(agent, at) : []),
        ...(await checkVersion(agent, at.place)),
      ],
    })),
  );
  sections.push(...versions.filter(({ findings }) => findings.length > 0));
  if (agents.length === 0) {
    const text = "No agent calls Seam here.";
    sections.push({
      about: "Agents",
      findings: [{ level: "info", code: "none", text, next: "Run: seam enable" }],
    });
  } else {
    sections.push(await aboutDaemon(at));
  }
  sections.push(...aboutAlarms(at));
  const record = await checkRecord(at.store, agents.length);
  if (record) sections.push({ about: "Record", ...record });
  sections.push(...(await aboutCommits(at)));
  const names = agents.map(({ name }) => name);
  sections.push({ about: "Extensions", findings: await extensionFindings(names) });
  const crews = await crewFindings(at.store);
  if (crews) sections.push({ about: "Crews", findings: crews });
  const models = modelFindings();
  if (models.length > 0) sections.push({ about: "Models", findings: models });
  return sections;
}

async function aboutHooks(standing: Standing, at: Here): Promise<Section> {
  const { agent, level } = standing;
  const about = `${agent.type} (${level})`;
  try {
    const findings = await checkUp(standing, at);
    if (!findings.some((finding) => finding.fix)) return { about, findings };
    // Back to the file it was in.
    const shared = standing.files.length > 1 && standing.recorded.at(-1) === standing.files.at(-1);
    const mcp = standing.mcp.isWanted;
    return { about, findings, fix: () => void enable([{ agent, level, shared, mcp }], at) };
  } catch (thrown) {
    return { about, findings: [{ level: "error", code: "unreadable", text: messageOf(thrown) }] };
  }
}

/** What the daemon noticed while agents were at work. Putting things right is the others' part. */
function aboutAlarms({ store }: Here): Section[] {
  const findings = alerts(store).map(
    ({ at, text }): Finding => ({
      level: "warning",
      code: "alarm",
      text: `${at}: ${text}`,
      next: "Once you have seen it: seam doctor --fix",
      fix: [],
    }),
  );
  if (findings.length === 0) return [];
  return [{ about: "Alarms", findings, fix: () => clearAlerts(store) }];
}

/** Whether what Seam wrote for one person would be committed. */
async function aboutCommits(at: Here): Promise<Section[]> {
  if (!at.isProject) return [];
  const { tracked, exposed } = await standingInGit(at).catch(() => ({ tracked: [], exposed: [] }));
  const findings = [
    ...tracked.map((path): Finding => {
      const file = shownPath(path);
      return {
        level: "warning",
        code: "file-tracked",
        text: `git tracks ${file}, so Seam's hooks in it go into commits.`,
        next: `If they are for you alone: git rm --cached ${file} (the file stays). If they are for everybody: seam enable --shared`,
      };
    }),
    ...exposed.map((path): Finding => {
      const text = `git add would take up ${shownPath(path)}, which Seam wrote for you alone.`;
      return {
        level: "warning",
        code: "file-exposed",
        text,
        next: "Run: seam doctor --fix",
        fix: [],
      };
    }),
  ];
  if (findings.length === 0) return [];
  const fix = exposed.length > 0 ? { fix: async () => void (await keepOut(at)) } : {};
  return [{ about: "Commits", findings, ...fix }];
}

async function aboutDaemon({ store }: Here): Promise<Section> {
  const findings = await daemonFindings(store);
  const fixable = findings.some((finding) => finding.fix);
  return {
    about: "Daemon",
    findings,
    ...(fixable && { fix: () => void ensureClient(store, { environment: process.env }) }),
  };
}

/** What of the user's models.json Seam's own agent cannot use. */
function modelFindings(): Finding[] {
  return new Models().problems.map(({ code, message, next }) => ({
    level: "error",
    code,
    text: message,
    next,
  }));
}
