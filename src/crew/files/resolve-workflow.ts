import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { nearest } from "../../events/index.ts";
import { isInside } from "../../files/index.ts";
import { planSchema } from "../model/plan-schema.ts";
import type { Role, TaskSpec, Workflow } from "../model/workflow.ts";
import { checkTasks } from "./check-tasks.ts";
import { ADAPTIVE_PLAN, type DeclaredTask } from "./declared-task.ts";
import type { CrewFiles } from "./find-crew-files.ts";
import { type WorkflowProblem, WorkflowProblems } from "./problem.ts";
import { RoleBook } from "./resolve-roles.ts";
import { TaskNames } from "./task-names.ts";
import type { TeamFile } from "./team-file.ts";
import { type UntrustedFile, untrustedFiles } from "./trust.ts";
import { readWorkflowFile, type WorkflowFile } from "./workflow-file.ts";

export interface ResolveOptions {
  /** The top folder of the repository the crew works in. */
  readonly repository?: string;
  /** Where a path counts from. */
  readonly cwd?: string;
  /** The team whose roles are meant; without one, that of the workflow. */
  readonly team?: string;
  /** Commands that the user wants to be run on every merged candidate, beside the workflow's. */
  readonly verify?: readonly string[];
}

export interface ResolvedWorkflow {
  /** Absent if there is an error among the problems. */
  readonly workflow?: Workflow;
  readonly problems: readonly WorkflowProblem[];
  /** Files of the project that ask for something the user has to agree to before a run. */
  readonly untrusted: readonly UntrustedFile[];
}

const CONCURRENCY = 4;
const STALL_MINUTES = 10;

/** A workflow with everything it names found and checked, or all that is wrong with it. */
export function resolveWorkflow(
  files: CrewFiles,
  nameOrPath: string,
  options: ResolveOptions = {},
): ResolvedWorkflow {
  const file = fileNamed(files, nameOrPath, options);
  if (file === undefined) {
    return { problems: [unknownWorkflow(files, nameOrPath)], untrusted: [] };
  }
  const problems = new WorkflowProblems(file.source.path);
  const team = teamOf(files, file, nameOrPath, options, problems);
  const teamProblems = team && new WorkflowProblems(team.source.path);
  const roles = new RoleBook(files, team, teamProblems);
  const building = new Building(file, roles, problems);
  const workflow = building.build(team, options.verify ?? []);
  const all = [
    ...file.problems,
    ...problems.list,
    ...(team?.problems ?? []),
    ...(teamProblems?.list ?? []),
    ...roles.used.flatMap((agent) => agent.problems),
  ];
  const shipped = files.agents.filter(({ source }) => source.origin === "shipped");
  const { repository } = options;
  return {
    ...(all.every(({ severity }) => severity !== "error") && { workflow }),
    problems: inOrder(all),
    untrusted:
      repository === undefined ? [] : untrustedFiles(repository, file, roles.used, shipped),
  };
}

/** As somebody reads the files: from the top of each to its end. */
function inOrder(problems: readonly WorkflowProblem[]): readonly WorkflowProblem[] {
  return problems.toSorted((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : 0));
}

function fileNamed(
  { workflows, teams }: CrewFiles,
  name: string,
  { cwd = process.cwd(), repository }: ResolveOptions,
): WorkflowFile | undefined {
  const found = workflows.find((one) => one.name === name);
  if (found) return found;
  const team = teams.find((one) => one.name === name);
  if (team) return workflows.find((one) => one.name === (team.defaultWorkflow ?? team.name));
  if (!name.includes("/") && !name.endsWith(".md")) return undefined;
  const path = resolve(cwd, name);
  const known = workflows.find(({ source }) => source.path === path);
  if (known) return known;
  const text = readText(path);
  if (text === undefined) return undefined;
  const isProjects = repository !== undefined && isInside(path, repository);
  const format = /\/\.(crew|pi)\//.test(path) ? "pi-crew" : "seam";
  return readWorkflowFile({ path, text, format, origin: isProjects ? "project" : "user" });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function unknownWorkflow({ workflows, teams }: CrewFiles, name: string): WorkflowProblem {
  const names = [...workflows, ...teams].map((one) => one.name);
  const close = nearest(name, names);
  return {
    severity: "error",
    file: name,
    text: "There is no workflow of that name, and no file. seam crew workflows lists what there is.",
    ...(close !== undefined && { nearest: close }),
  };
}

/** The team that was asked for, that the workflow names, or whose workflow it is. */
function teamOf(
  { teams }: CrewFiles,
  file: WorkflowFile,
  asked: string,
  options: ResolveOptions,
  problems: WorkflowProblems,
): TeamFile | undefined {
  const name = options.team ?? file.team;
  if (name !== undefined) {
    const team = teams.find((one) => one.name === name);
    const line = options.team === undefined ? file.teamLine : undefined;
    if (!team)
      problems.error(
        line,
        `There is no team "${name}".`,
        name,
        teams.map((one) => one.name),
      );
    return team;
  }
  return (
    teams.find((one) => one.name === asked && one.defaultWorkflow === file.name) ??
    teams.find((one) => one.defaultWorkflow === file.name)
  );
}

/** Puts a workflow together, task by task. */
class Building {
  readonly #file: WorkflowFile;
  readonly #book: RoleBook;
  readonly #problems: WorkflowProblems;
  readonly #roles = new Map<string, Role>();

  constructor(file: WorkflowFile, book: RoleBook, problems: WorkflowProblems) {
    this.#file = file;
    this.#book = book;
    this.#problems = problems;
  }

  build(team: TeamFile | undefined, ofUser: readonly string[]): Workflow {
    const { name, description, tasks, budget, verify, approvePlan, approveMerge } = this.#file;
    const names = new TaskNames(tasks, this.#problems);
    // A planner can give a task to any role: they have to be there before the first task is read.
    if (tasks.some(({ plans }) => plans)) {
      for (const role of this.#book.choices()) this.#roles.set(role.name, role);
    }
    const specs = tasks.map((task) => this.#spec(task, names));
    checkTasks(tasks, specs, this.#problems);
    return {
      name,
      description,
      tasks: specs,
      roles: Object.fromEntries(this.#roles),
      maxConcurrency: this.#file.maxConcurrency ?? team?.maxConcurrency ?? CONCURRENCY,
      budget,
      verify: [...new Set([...verify, ...ofUser])],
      approvePlan,
      approveMerge,
    };
  }

  #spec(task: DeclaredTask, names: TaskNames): TaskSpec {
    const role = this.#role(task);
    const { when, loop, files, sparse, reviewedBy, title, id } = task;
    if (reviewedBy !== undefined) this.#named(reviewedBy, task.line("reviewedBy"));
    // A planner of pi-crew's is told by its own prompt what a plan is: phases, for instance.
    const isTold = task.output === ADAPTIVE_PLAN;
    const schema = task.plans && !isTold ? planSchema([...this.#roles.keys()]) : undefined;
    const result = task.result ?? schema;
    const forEach = names.items(task);
    const isLooking =
      role?.access === "read" ||
      task.plans ||
      task.isCheck ||
      task.result !== undefined ||
      task.output !== undefined;
    return {
      id,
      title: title ?? task.heading,
      role: role?.name ?? task.role,
      prompt: promptOf(task, names),
      agents: this.#agents(task, role),
      dependsOn: names.dependencies(task),
      reads: names.reads(task).tasks,
      ...(when && { when }),
      onFail: task.onFail,
      ...(loop && { loop: { ...loop, backTo: names.id(loop.backTo) ?? loop.backTo } }),
      ...(forEach !== undefined && { forEach }),
      plans: task.plans,
      verify: task.verify,
      ...(files && { files }),
      ...(sparse && { sparse }),
      ...(result && { result }),
      budget: task.budget,
      approve: task.approve,
      ...(reviewedBy && { reviewedBy }),
      expects: task.expects ?? (isLooking ? "result" : "change"),
      stallMinutes: task.stallMinutes ?? STALL_MINUTES,
    };
  }

  #agents({ agents }: DeclaredTask, role: Role | undefined): TaskSpec["agents"] {
    if (agents.length > 0 || (role?.agents.length ?? 0) > 0) return agents;
    return this.#file.agents;
  }

  /** The task's role; narrowed to reading if the task says so. */
  #role(task: DeclaredTask): Role | undefined {
    const role = this.#named(task.role, task.line("role"));
    if (role === undefined || task.access === undefined || task.access === role.access) return role;
    if (task.access === "write") {
      this.#problems.error(
        task.line("access"),
        `The role "${role.name}" only reads. Give the task a role that may write.`,
      );
      return role;
    }
    const narrowed: Role = { ...role, name: `${role.name}-reading`, access: "read" };
    this.#roles.set(narrowed.name, narrowed);
    return narrowed;
  }

  #named(name: string, line: number): Role | undefined {
    const role = this.#roles.get(name) ?? this.#book.find(name);
    if (role) this.#roles.set(role.name, role);
    else this.#problems.error(line, `There is no role "${name}".`, name, this.#book.names);
    return role;
  }
}

/** pi-crew's steps name skills, files to read first and the file they leave: an agent is told in words. */
function promptOf(task: DeclaredTask, names: TaskNames): string {
  const { paths } = names.reads(task);
  return [
    task.prompt,
    ...(task.skills.length > 0
      ? [`Use these skills if you have them: ${task.skills.join(", ")}.`]
      : []),
    ...(paths.length > 0 ? [`Read first, if it is there: ${paths.join(", ")}.`] : []),
  ].join("\n\n");
}
