import { isRecord } from "../../values/index.ts";
import { taskIdOf } from "../model/task-id.ts";
import type { AgentChoice, Budget, Condition, OnFail } from "../model/workflow.ts";
import { agentChoices } from "./agent-choices.ts";
import { budgetOf } from "./amounts.ts";
import { readFields } from "./fields.ts";
import { Keys } from "./keys.ts";
import type { FileSource } from "./origin.ts";
import type { WorkflowProblems } from "./problem.ts";
import { resultSchema } from "./result-schema.ts";
import type { Section } from "./sections.ts";

/** The output by which pi-crew knows a planner. */
export const ADAPTIVE_PLAN = "adaptive-plan.json";

/** One task as a workflow's file has it. What it names is found when the workflow is resolved. */
export interface DeclaredTask {
  readonly id: string;
  readonly heading: string;
  readonly title?: string;
  readonly role: string;
  readonly access?: "read" | "write";
  readonly prompt: string;
  readonly agents: readonly AgentChoice[];
  readonly dependsOn: readonly string[];
  readonly parallelGroup?: string;
  readonly output?: string;
  readonly reads: readonly string[];
  readonly skills: readonly string[];
  readonly when?: Condition;
  readonly onFail: OnFail;
  readonly loop?: { readonly until: Condition; readonly times: number; readonly backTo: string };
  readonly forEach?: readonly string[];
  readonly plans: boolean;
  readonly verify: readonly string[];
  /** pi-crew's `verify: true`: a step that checks and changes nothing. */
  readonly isCheck: boolean;
  readonly files?: readonly string[];
  readonly sparse?: readonly string[];
  readonly result?: object;
  readonly budget: Budget;
  readonly approve: boolean;
  readonly reviewedBy?: string;
  readonly expects?: "change" | "result";
  readonly stallMinutes?: number;
  /** The line of a key, or of the heading. */
  line(key?: string): number;
}

/** Keys of a task: pi-crew's, then Seam's own. */
export const TASK_KEYS = [
  "role",
  "dependsOn",
  "parallelGroup",
  "output",
  "reads",
  "model",
  "skills",
  "verify",
  "task",
  "title",
  "access",
  "agent",
  "agents",
  "when",
  "onFail",
  "loop",
  "forEach",
  "plans",
  "files",
  "sparse",
  "result",
  "budget",
  "approve",
  "reviewedBy",
  "expects",
  "stallMinutes",
];
export const TASK_KEYS_WITHOUT_EFFECT = ["progress", "worktree", "specRefs", "specStrict"];

export function readTask(
  section: Section,
  source: FileSource,
  problems: WorkflowProblems,
): DeclaredTask | undefined {
  const id = taskIdOf(section.heading);
  if (id === undefined) {
    problems.error(
      section.line,
      `"${section.heading}" cannot be the name of a task: letters, digits and dashes.`,
    );
    return undefined;
  }
  const empty = section.lines.findIndex((line) => line.trim() !== "");
  const lines = section.lines.slice(Math.max(0, empty));
  const read = readFields(lines, section.firstLine + Math.max(0, empty), "blank");
  for (const fault of read.faults) problems.error(fault.line, fault.text);
  const keys = new Keys(read.fields, section.line, problems);
  const isStrict = source.format === "seam";
  keys.judge({ known: TASK_KEYS, withoutEffect: TASK_KEYS_WITHOUT_EFFECT, isStrict });
  const title = keys.text("title");
  const access = keys.oneOf("access", ["read", "write"]);
  const group = keys.text("parallelGroup");
  const output = keys.value("output") === false ? undefined : keys.text("output");
  const when = conditionAt(keys, "when", keys.value("when"));
  const loop = loopOf(keys, id);
  const forEach = keys.list("forEach");
  const files = keys.list("files");
  const sparse = foldersAt(keys, "sparse");
  const result = resultSchema(keys);
  const reviewedBy = keys.text("reviewedBy");
  const expects = keys.oneOf("expects", ["change", "result"]);
  const stallMinutes = keys.count("stallMinutes");
  return {
    id,
    heading: section.heading,
    ...(title && { title }),
    role: keys.text("role") || id,
    ...(access && { access }),
    prompt: lines.slice(read.taken).join("\n").trim() || keys.text("task") || "{goal}",
    agents: withModel(keys, source),
    dependsOn: keys.list("dependsOn") ?? [],
    ...(group && { parallelGroup: group }),
    ...(output && { output }),
    reads: keys.list("reads") ?? [],
    skills: keys.list("skills") ?? [],
    ...(when && { when }),
    onFail: keys.oneOf("onFail", ["stop", "skip", "continue"]) ?? "stop",
    ...(loop && { loop }),
    ...(forEach && { forEach }),
    // pi-crew's planners are known by the name of what they write.
    plans: keys.flag("plans") ?? output === ADAPTIVE_PLAN,
    verify: keys.commands("verify") ?? [],
    isCheck: keys.value("verify") === true,
    ...(files && { files }),
    ...(sparse && { sparse }),
    ...(result && { result }),
    budget: budgetOf(keys),
    approve: keys.flag("approve") ?? false,
    ...(reviewedBy && { reviewedBy }),
    ...(expects && { expects }),
    ...(stallMinutes !== undefined && { stallMinutes }),
    line: (key) => (key === undefined ? section.line : keys.line(key)),
  };
}

function withModel(keys: Keys, { format }: FileSource): readonly AgentChoice[] {
  const agents = agentChoices(keys);
  const model = keys.text("model");
  if (model === undefined || model === "" || model === "false") return agents;
  if (agents.length === 0 && format === "pi-crew") return [{ agent: "pi", model }];
  const [first, ...others] = agents;
  if (first === undefined) {
    keys.problems.error(
      keys.line("model"),
      '"model" needs to know whose: write "agent: claude-code:<model>".',
    );
    return [];
  }
  return [{ agent: first.agent, model }, ...others];
}

/** Folders of the repository, as paths from its top. */
function foldersAt(keys: Keys, key: string): readonly string[] | undefined {
  return keys.list(key)?.map((text) => {
    const folder = text.replace(/^\.?\/+|\/+$/g, "");
    const isFolder = folder.split("/").every((part) => !["", ".", ".."].includes(part));
    // A pattern would mean something else to git than to whoever wrote it.
    if (!isFolder || /[*?]/.test(folder)) {
      const way = 'Name one as "packages/api", without a pattern.';
      keys.problems.error(keys.line(key), `"${text}" is no folder of the repository. ${way}`);
    }
    return folder;
  });
}

function conditionAt(keys: Keys, key: string, value: unknown): Condition | undefined {
  if (value === undefined) return undefined;
  const condition = typeof value === "string" ? parseCondition(value) : undefined;
  if (condition === undefined) {
    const forms =
      '"review.approved", "not review.approved", "plan.kind == bug" or "build != failed"';
    keys.problems.error(keys.line(key), `This is not a condition. Write one like ${forms}.`);
  }
  return condition;
}

const MOST_ROUNDS = 20;

function loopOf(keys: Keys, id: string): DeclaredTask["loop"] {
  const value = keys.value("loop");
  if (value === undefined) return undefined;
  const line = keys.line("loop");
  if (!isRecord(value)) {
    keys.problems.error(line, '"loop" needs "until", "times" and "backTo".');
    return undefined;
  }
  const known = ["until", "times", "backTo"];
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      keys.problems.error(
        line,
        `"${name}" is no part of a loop: until, times, backTo.`,
        name,
        known,
      );
    }
  }
  const { until, times, backTo = id } = value;
  if (until === undefined)
    keys.problems.error(line, 'A loop needs "until": the condition that ends it.');
  if (typeof times !== "number" || !Number.isInteger(times) || times < 1 || times > MOST_ROUNDS) {
    keys.problems.error(
      line,
      `A loop needs "times": how often it may run again, from 1 to ${MOST_ROUNDS}.`,
    );
  }
  const condition = conditionAt(keys, "loop", until);
  // With a mistake nothing is started, and what else is wrong with the loop is told too.
  return condition && { until: condition, times: Number(times), backTo: String(backTo) };
}

const FORM =
  /^(?<not>not\s+|!\s*)?(?<task>[A-Za-z0-9][\w-]*)(?<path>(?:\.[A-Za-z0-9_-]+)*)(?:\s*(?<is>==|!=)\s*(?<value>.+))?$/;

/**
 * "review.approved", "not review.approved", "plan.kind == bug", "build != failed": a task, where in
 * its result to look, and what has to stand there. Without a way into the result it is the task's state.
 */
function parseCondition(text: string): Condition | undefined {
  const found = FORM.exec(text.trim())?.groups;
  if (found?.task === undefined) return undefined;
  const place = { task: found.task, path: (found.path ?? "").slice(1) };
  if (found.is === undefined) return { ...place, is: found.not ? "falsy" : "truthy" };
  if (found.not) return undefined;
  const value = scalarOf((found.value ?? "").trim());
  return { ...place, is: found.is === "==" ? "equals" : "differs", value };
}

function scalarOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.replace(/^'(.*)'$/, "$1");
  }
}
