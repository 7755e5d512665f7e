import { checkPlan } from "../graph/plan.ts";
import type { Workflow } from "../model/workflow.ts";

/** A plan as people are shown it before its tasks join the graph. */
export function planText(result: unknown, workflow: Workflow): string {
  const { tasks = [], problems } = checkPlan(result, workflow);
  if (problems.length > 0) return problems.join("\n");
  return tasks
    .map(({ id, title, role, dependsOn, files, prompt }) => {
      const after = dependsOn.length > 0 ? `, after ${dependsOn.join(", ")}` : "";
      const where = files ? `\n  may change ${files.join(", ")}` : "";
      return `${id} (${role}${after}): ${title}${where}\n  ${prompt.trim().split("\n").join("\n  ")}`;
    })
    .join("\n\n");
}
