import { basename } from "node:path";
import type { AgentChoice, Budget } from "../model/workflow.ts";
import { agentChoices } from "./agent-choices.ts";
import { budgetOf } from "./amounts.ts";
import {
  type DeclaredTask,
  readTask,
  TASK_KEYS,
  TASK_KEYS_WITHOUT_EFFECT,
} from "./declared-task.ts";
import { openDocument } from "./document.ts";
import type { FileSource } from "./origin.ts";
import type { WorkflowProblem } from "./problem.ts";
import { sectionsOf } from "./sections.ts";

/** A workflow as its file declares it: names in it are not looked up yet. */
export interface WorkflowFile {
  readonly source: FileSource;
  readonly name: string;
  readonly description: string;
  readonly team?: string;
  readonly teamLine: number;
  readonly maxConcurrency?: number;
  readonly agents: readonly AgentChoice[];
  readonly budget: Budget;
  readonly verify: readonly string[];
  readonly approvePlan: boolean;
  readonly approveMerge: boolean;
  readonly tasks: readonly DeclaredTask[];
  readonly problems: readonly WorkflowProblem[];
}

const KNOWN = [
  "name",
  "description",
  "team",
  "maxConcurrency",
  "agent",
  "agents",
  "budget",
  "verify",
  "approvePlan",
  "approveMerge",
];
const WITHOUT_EFFECT = ["topology", "coalesceMicroTasks", "specStrict"];

export function readWorkflowFile(source: FileSource): WorkflowFile {
  const { keys, problems, body, bodyLine } = openDocument(source, KNOWN, WITHOUT_EFFECT);
  const known = [...TASK_KEYS, ...TASK_KEYS_WITHOUT_EFFECT];
  const tasks = sectionsOf(body, bodyLine, known).flatMap(
    (section) => readTask(section, source, problems) ?? [],
  );
  if (tasks.length === 0) {
    problems.error(
      bodyLine,
      'A workflow needs tasks: each begins with a heading like "## review".',
    );
  }
  const team = keys.text("team");
  const maxConcurrency = keys.count("maxConcurrency");
  return {
    source,
    name: keys.text("name") || basename(source.path).replace(/(\.workflow)?\.md$/, ""),
    description: keys.text("description") ?? "",
    ...(team && { team }),
    teamLine: keys.line("team"),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    agents: agentChoices(keys),
    budget: budgetOf(keys),
    verify: keys.commands("verify") ?? [],
    approvePlan: keys.flag("approvePlan") ?? true,
    approveMerge: keys.flag("approveMerge") ?? false,
    tasks,
    problems: problems.list,
  };
}
