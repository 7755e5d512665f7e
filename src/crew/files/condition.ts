import type { Condition } from "../model/workflow.ts";

const FORM =
  /^(?<not>not\s+|!\s*)?(?<task>[A-Za-z0-9][\w-]*)(?<path>(?:\.[A-Za-z0-9_-]+)*)(?:\s*(?<is>==|!=)\s*(?<value>.+))?$/;

/**
 * "review.approved", "not review.approved", "plan.kind == bug", "build != failed": a task, where in
 * its result to look, and what has to stand there. Without a way into the result it is the task's state.
 */
export function parseCondition(text: string): Condition | undefined {
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
