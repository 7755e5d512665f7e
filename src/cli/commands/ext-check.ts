import { resolve } from "node:path";
import type { Command } from "commander";
import { AGENT_NAMES, agentsFiring } from "../../agents/index.ts";
import { usageError } from "../../errors/index.ts";
import { isEventName } from "../../events/index.ts";
import {
  checkExtensions,
  type ExtensionReport,
  entriesAt,
  readPackage,
  sourceOf,
} from "../../extensions/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { paint, printJson, printLine, progressLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  json?: boolean;
  deadline: string;
}

export function addExtCheck(ext: Command): void {
  ext
    .command("check")
    .description("load extensions one by one and say what they do")
    .argument("<path...>", "extension files or folders")
    .option("--json", "print JSON")
    .option("--deadline <ms>", "how long one may take to load", "10000")
    .addHelpText(
      "after",
      `
Each extension is loaded alone, in a thread of its own. Exit code 1 if any failed.

Examples:
  seam ext check no-rm.ts
  seam ext check .seam/extensions --json`,
    )
    .action(check);
}

async function check(paths: string[], { json, deadline }: Options): Promise<void> {
  const cwd = process.cwd();
  const loadDeadlineMs = Number(deadline);
  if (!(loadDeadlineMs > 0)) {
    throw usageError(
      `--deadline ${deadline} is not a time.`,
      "It is a number of milliseconds above 0.",
    );
  }
  const sources = paths.flatMap((given) => {
    const path = resolve(cwd, given);
    // A package is known by its name, not by the folder that its files happen to be in.
    const name = readPackage(path)?.name;
    return entriesAt(path).map((entry) => sourceOf(entry, "cli", name));
  });
  const progress = progressLine();
  const reports = await checkExtensions(sources, {
    cwd,
    cacheDir: loadCacheDir(),
    loadDeadlineMs,
    onProgress: ({ name }, done, total) => progress.show(`${done}/${total} ${name}`),
  });
  progress.clear();
  const failed = reports.filter(({ ok }) => !ok);
  if (json) printJson(asJson(reports));
  else printReports(reports);
  if (failed.length > 0) process.exitCode = 1;
}

/** What an extension listens for, and which agents can tell it. */
function eventsWithAgents(report: ExtensionReport) {
  return report.events.filter(isEventName).map((event) => ({ event, agents: agentsFiring(event) }));
}

function asJson(reports: readonly ExtensionReport[]) {
  const loaded = reports.filter(({ ok }) => ok);
  const failed = reports.filter(({ ok }) => !ok);
  return {
    loaded: loaded.length,
    failed: failed.map(({ path, problems }) => {
      const error = problems.find(({ severity }) => severity === "error") ?? problems[0];
      return { path, error: error?.message ?? "" };
    }),
    extensions: reports.map((report) => ({ ...report, agents: eventsWithAgents(report) })),
  };
}

function printReports(reports: readonly ExtensionReport[]): void {
  for (const report of reports) {
    const mark = report.ok ? paint("green", "✓") : paint("red", "✗");
    printLine(`${mark} ${paint("bold", report.name)}  ${shownPath(report.path)}`);
    for (const { event, agents } of eventsWithAgents(report)) {
      const everywhere = agents.length === AGENT_NAMES.length;
      printLine(`    on ${event}  ${paint("dim", everywhere ? "all agents" : agents.join(", "))}`);
    }
    for (const kind of [
      "tools",
      "commands",
      "flags",
      "shortcuts",
      "renderers",
      "providers",
    ] as const) {
      if (report[kind].length > 0) printLine(`    ${kind}  ${report[kind].join(", ")}`);
    }
    if (report.critical) printLine("    critical: without it, tool calls are blocked");
    printProblems(report);
  }
  const bad = reports.filter(({ ok }) => !ok).length;
  const summary = `${reports.length - bad} loaded, ${bad} failed`;
  printLine(bad > 0 ? paint("red", summary) : summary);
}

function printProblems({ problems }: ExtensionReport): void {
  for (const { severity, message, next, file, line } of problems) {
    const place = file ? ` (${shownPath(file)}:${line})` : "";
    printLine(
      `    ${paint(severity === "error" ? "red" : "yellow", severity)}  ${message}${place}`,
    );
    printLine(`           ${next}`);
  }
}
