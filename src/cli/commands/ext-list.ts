import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { checkExtensions, findExtensions } from "../../extensions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { namedPackages } from "../packages/named-package.ts";
import { packagePlace } from "../packages/package-place.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";
import { table } from "../table.ts";

interface Options {
  json?: boolean;
  extension?: string[];
}

export function addExtList(ext: Command): void {
  ext
    .command("list")
    .description("list the extensions of this project and user, in the order they run")
    .option("-e, --extension <path...>", "also these, before all others")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  seam ext list\n  seam ext list -e ./draft.ts --json")
    .action(list);
}

async function list({ json, extension = [] }: Options): Promise<void> {
  const cwd = process.cwd();
  const { sources, untrusted, problems } = findExtensions({ cwd, paths: extension });
  const { loadDeadlineMs } = loadSettings(cwd).settings;
  const cacheDir = loadCacheDir();
  const reports = await checkExtensions(sources, { cwd, cacheDir, loadDeadlineMs });
  const packages = [
    ...namedPackages(packagePlace(true)).map((one) => ({ ...one, scope: "project" })),
    ...namedPackages(packagePlace(false)).map((one) => ({ ...one, scope: "user" })),
  ];
  const waiting = untrusted.map((source) => ({
    ...source,
    error: new SeamError("SEAM_EXT_UNTRUSTED", { path: shownPath(source.path) }),
  }));
  if (json) {
    printJson({
      extensions: reports,
      packages: packages.map(({ entry, ...one }) => ({ ...one, source: entry })),
      untrusted: waiting.map(({ path, name, error }) => ({ path, name, error: error.toJSON() })),
      problems: problems.map((problem) => problem.toJSON()),
    });
    return;
  }
  if (reports.length === 0 && waiting.length === 0) {
    printLine("No extensions yet. Make one: seam ext new my-gate");
  }
  const rows = reports.map((report) => [
    report.ok ? "✓" : "✗",
    report.name,
    report.scope,
    report.ok ? `${report.loadMs.toFixed(0)} ms` : "failed",
    shownPath(report.path),
    [...report.events.map((event) => `on ${event}`), ...report.tools].join(", "),
  ]);
  for (const line of table(rows)) printLine(line);
  if (packages.length > 0) printLine("\nPackages:");
  const shown = packages.map(({ name, version = "", scope, entry, isThere }) => [
    isThere ? "✓" : "✗",
    `${name} ${version}`.trimEnd(),
    scope,
    entry,
  ]);
  for (const line of table(shown)) printLine(line);
  for (const report of reports) {
    for (const { message, next } of report.problems) complain(message, next);
  }
  for (const { error } of [...waiting, ...problems.map((error) => ({ error }))]) {
    complain(error.message, error.next);
  }
}

function complain(message: string, next: string): void {
  printLine(`${paint("yellow", "!")} ${message}\n  ${next}`);
}
