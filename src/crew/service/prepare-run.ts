import { resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "../../agents/index.ts";
import { SeamError, usageError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import { git, headOf, openRepo } from "../../git/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import { findCrewFiles } from "../files/find-crew-files.ts";
import { problemLine, type WorkflowProblem } from "../files/problem.ts";
import { projectPrograms } from "../files/project-programs.ts";
import { resolveWorkflow } from "../files/resolve-workflow.ts";
import { untrustedPrograms } from "../files/trust.ts";
import type { AgentChoice, Workflow } from "../model/workflow.ts";
import type { StartRequest } from "../runs/crew.ts";
import { type Consent, keepConsents, missingConsents } from "./consents.ts";
import type { RunRequest } from "./requests.ts";
import { settingsWarnings } from "./settings-problems.ts";

/** A run that could start, and what people should know before it does. */
export interface PreparedRun {
  readonly request: StartRequest;
  readonly warnings: readonly string[];
  /** What the user has to agree to before it starts. */
  readonly consents: readonly Consent[];
}

/** Finds everything a request names. Throws what is wrong with it, in words. */
export async function prepareRun(asked: RunRequest, home: string): Promise<PreparedRun> {
  if (asked.goal.trim() === "") throw new SeamError("SEAM_CREW_GOAL");
  const cwd = resolve(asked.cwd);
  const repo = await openRepo(cwd);
  if (!repo) throw new SeamError("SEAM_CREW_NO_REPO", { path: cwd });
  const repository = repo.workTree;
  if (repository === undefined) throw new SeamError("SEAM_CREW_BARE", { path: cwd });
  const files = findCrewFiles({ home, repository });
  const { workflow, problems, untrusted } = resolveWorkflow(files, asked.workflow, {
    repository,
    cwd,
    ...(asked.team !== undefined && { team: asked.team }),
    ...(asked.verify && { verify: asked.verify }),
  });
  if (!workflow) {
    const lines = errorsIn(problems).map(problemLine).join("\n");
    throw new SeamError("SEAM_CREW_WORKFLOW", { name: asked.workflow, detail: lines });
  }
  const { crew: settings } = loadUserSettings();
  const agents = choicesIn(asked.agents ?? settings.agents ?? []);
  const workers = agentsOf(workflow, agents);
  const programs = untrustedPrograms(repository, await projectPrograms(repository, workers));
  if (untrusted.length + programs.length > 0) {
    const detail = [...untrusted, ...programs]
      .map(({ path, asks }) => `${path}\n${asks.map((text) => `  ${text}`).join("\n")}`)
      .join("\n");
    throw new SeamError("SEAM_CREW_UNTRUSTED", { detail });
  }
  const remote = await remoteFor(asked, settings.remote, repository);
  const branch = (await headOf(repo)).branch;
  // What a pool did has to be fetched first, and whoever works there cannot land it here.
  const lands = settings.land === true && asked.pool === undefined;
  const landsOn = lands ? branch : undefined;
  const atOnce = asked.atOnce ?? workflow.maxConcurrency;
  const warnings = problems.map(problemLine);
  return {
    consents: missingConsents(home, workers),
    warnings: [
      ...warnings,
      ...settingsWarnings(asked.pool),
      ...(lands && branch === undefined ? [NOWHERE] : []),
      ...(await changesIn(repository)),
    ],
    request: {
      workflow: { ...workflow, maxConcurrency: atOnce },
      goal: asked.goal,
      repository,
      agents,
      budget: { ...workflow.budget, ...asked.budget },
      ...(asked.pool !== undefined && { pool: asked.pool }),
      ...(remote !== undefined && { remote }),
      ...(landsOn !== undefined && { landsOn }),
      ...(asked.environment && { environment: asked.environment }),
    },
  };
}

/** Every agent that may come to work. */
function agentsOf({ tasks, roles }: Workflow, given: readonly AgentChoice[]): Set<AgentName> {
  const choices = [...given, ...Object.values(roles).flatMap((role) => role.agents)];
  return new Set([...choices, ...tasks.flatMap((task) => task.agents)].map(({ agent }) => agent));
}

/** Nobody starts agents without their own questions in the name of a user who was not asked. */
export function withConsent(
  { consents }: Pick<PreparedRun, "consents">,
  { agrees = false }: RunRequest,
  home: string,
): void {
  if (consents.length === 0) return;
  if (!agrees) {
    const detail = consents.map(({ text }) => `  ${text}`).join("\n");
    throw new SeamError("SEAM_CREW_CONSENT", { detail });
  }
  keepConsents(home, consents);
}

function errorsIn(problems: readonly WorkflowProblem[]): readonly WorkflowProblem[] {
  return problems.filter(({ severity }) => severity === "error");
}

/** "claude-code", or "codex:gpt-5" with a model. */
function choicesIn(names: readonly string[]): AgentChoice[] {
  return names.map((text) => {
    const [name = "", ...model] = text.split(":");
    const agent = AGENT_NAMES.find((one) => one === name);
    if (agent) return model.length > 0 ? { agent, model: model.join(":") } : { agent };
    const close = nearest(name, AGENT_NAMES);
    const hint =
      close === undefined ? `There are ${AGENT_NAMES.join(", ")}.` : `Did you mean ${close}?`;
    throw usageError(`There is no agent "${name}".`, hint);
  });
}

/** Only a run for a pool needs one. A name is turned into an address that other machines understand. */
async function remoteFor(
  { pool }: RunRequest,
  remote: string | undefined,
  cwd: string,
): Promise<string | undefined> {
  if (pool === undefined) return undefined;
  if (remote === undefined) throw new SeamError("SEAM_CREW_POOL_REMOTE", { pool });
  if (/[/:]/.test(remote)) return remote;
  return (await git(["remote", "get-url", remote], { cwd })).toString().trim();
}

const NOWHERE =
  'What it makes does not land by itself, as "crew.land" wants: no branch is checked out.';

/** A crew begins with the last commit; what is not committed is not seen by it. */
async function changesIn(cwd: string): Promise<string[]> {
  const args = ["status", "--porcelain", "--untracked-files=no"];
  const changed = (await git(args, { cwd, settings: [] })).toString().split("\n").filter(Boolean);
  if (changed.length === 0) return [];
  const files = changed.length === 1 ? "1 file has" : `${changed.length} files have`;
  return [
    `${files} changes that are not committed. The crew begins with the last commit, without them.`,
  ];
}
