import type { SeamError } from "../../errors/index.ts";
import type { ExtensionSet } from "../extension-set.ts";
import type { Source } from "../find/source.ts";
import type { ExtensionProblem } from "../problem.ts";

/** A problem that can be sent between threads and printed as JSON. */
export interface ReportedProblem {
  severity: "error" | "warning";
  code: string;
  message: string;
  next: string;
  file?: string;
  line?: number;
}

/** What one extension subscribes to and registers. */
export interface ExtensionReport {
  path: string;
  name: string;
  scope: Source["scope"];
  ok: boolean;
  critical: boolean;
  events: string[];
  tools: string[];
  commands: string[];
  flags: string[];
  shortcuts: string[];
  renderers: string[];
  providers: string[];
  loadMs: number;
  problems: ReportedProblem[];
}

export function emptyReport({ path, name, scope }: Source): ExtensionReport {
  return {
    path,
    name,
    scope,
    ok: false,
    critical: false,
    events: [],
    tools: [],
    commands: [],
    flags: [],
    shortcuts: [],
    renderers: [],
    providers: [],
    loadMs: 0,
    problems: [],
  };
}

/** The report of an extension that was loaded alone. */
export function reportOf(source: Source, set: ExtensionSet): ExtensionReport {
  const report = { ...emptyReport(source), problems: set.problems.map(reported) };
  const [extension] = set.extensions;
  if (!extension) return report;
  return {
    ...report,
    ok: true,
    critical: extension.critical,
    events: [...extension.events],
    tools: [...extension.tools.keys()],
    commands: [...extension.commands.keys()],
    flags: [...extension.flags.keys()],
    shortcuts: [...extension.shortcuts.keys()],
    renderers: [...extension.renderers.keys()],
    providers: [...extension.providers.keys()],
    loadMs: extension.loadMs,
  };
}

function reported({ severity, error, where }: ExtensionProblem): ReportedProblem {
  return { ...asProblem(error, severity), ...(where && { file: where.file, line: where.line }) };
}

export function asProblem(
  error: SeamError,
  severity: "error" | "warning" = "error",
): ReportedProblem {
  return { severity, code: error.code, message: error.message, next: error.next };
}
