import { join, relative } from "node:path";
import {
  agreementsOf,
  agreementTo,
  hashOf,
  heldAgreements,
  idOf,
  type Trust,
} from "../../settings/index.ts";
import type { AgentFile } from "./agent-file.ts";
import type { CrewFiles } from "./find-crew-files.ts";
import type { FileSource } from "./origin.ts";
import type { ProjectProgram } from "./project-programs.ts";
import type { WorkflowFile } from "./workflow-file.ts";

/** A project's file that asks for something only the user can grant, and was not agreed to as it is. */
export interface UntrustedFile {
  readonly path: string;
  /** What it asks for, in words. */
  readonly asks: readonly string[];
}

/**
 * What of a project's files waits for the user's agreement. A file that asks for nothing is only
 * text and names.
 */
export function untrustedFiles(
  repository: string,
  workflow: WorkflowFile,
  agents: readonly AgentFile[],
  shipped: readonly AgentFile[],
): UntrustedFile[] {
  const files = [
    { source: workflow.source, asks: workflowAsks(workflow) },
    ...agents.map((file) => ({ source: file.source, asks: agentAsks(file, shipped) })),
  ];
  return files
    .filter(({ source, asks }) => asks.length > 0 && source.origin === "project")
    .filter(({ source }) => !isAgreed(repository, source))
    .map(({ source, asks }) => ({ path: source.path, asks }));
}

/** What agents would run of a project by themselves, and the user has not agreed to as it is. */
export function untrustedPrograms(
  repository: string,
  programs: readonly ProjectProgram[],
): UntrustedFile[] {
  return programs
    .filter(({ source }) => !isAgreed(repository, source))
    .map(({ source, asks }) => ({ path: source.path, asks }));
}

function isAgreed(repository: string, { path, text }: Pick<FileSource, "path" | "text">): boolean {
  const id = idOf({ [path]: hashOf(text) });
  return agreementTo(heldAgreements(repository).get(relative(repository, path)), id)?.id === id;
}

function workflowAsks({ verify, approvePlan, tasks }: WorkflowFile): string[] {
  const commands = [...verify, ...tasks.flatMap((task) => task.verify)];
  return [
    ...[...new Set(commands)].map((command) => `run: ${command}`),
    ...(approvePlan || !tasks.some(({ plans }) => plans)
      ? []
      : ["start what its planner planned, without asking you"]),
  ];
}

function agentAsks({ role }: AgentFile, shipped: readonly AgentFile[]): string[] {
  const own = shipped.find((file) => file.role.name === role.name)?.role;
  return [
    ...role.allowCommands.map((command) => `let the role ${role.name} run: ${command}`),
    ...(role.mayPush ? [`let the role ${role.name} push`] : []),
    ...(own?.access === "read" && role.access === "write"
      ? [`let the role ${role.name} change files, which Seam's own role of that name may not`]
      : []),
  ];
}

/** A project's file of a crew that asks for something, and whether the user agreed to it as it is. */
export interface AskingCrewFile extends UntrustedFile {
  readonly trust: Trust;
  /** All of it as it was read for that: nothing else may be agreed to. Undefined: it is gone. */
  readonly text: string | undefined;
}

/** All of a project that ask for something, and those that were agreed to and are gone. */
export function askingCrewFiles(
  { workflows, agents }: CrewFiles,
  repository: string,
  programs: readonly ProjectProgram[],
): AskingCrewFile[] {
  const shipped = agents.filter(({ source }) => source.origin === "shipped");
  const files = [
    ...workflows.map((file) => ({ source: file.source, asks: workflowAsks(file) })),
    ...agents.map((file) => ({ source: file.source, asks: agentAsks(file, shipped) })),
  ].filter(({ source }) => source.origin === "project");
  const all = [...files, ...programs];
  const agreed = agreementsOf(repository);
  const asking = all.flatMap(({ source, asks }): AskingCrewFile[] => {
    const { path } = source;
    const isKnown = agreed[relative(repository, path)] !== undefined;
    if (asks.length === 0 && !isKnown) return [];
    const trust = isAgreed(repository, source) ? "trusted" : isKnown ? "changed" : "new";
    return [{ path, asks, trust, text: source.text }];
  });
  const there = new Set(all.map(({ source }) => source.path));
  const gone = Object.entries(agreed)
    .filter(([path, { kind }]) => kind === "crew" && !there.has(join(repository, path)))
    .map(
      ([path]): AskingCrewFile => ({
        path: join(repository, path),
        asks: [],
        trust: "gone",
        text: undefined,
      }),
    );
  return [...asking, ...gone];
}
