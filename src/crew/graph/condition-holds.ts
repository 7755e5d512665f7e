import { isRecord } from "../../values/index.ts";
import type { Task } from "../model/run.ts";
import type { Condition } from "../model/workflow.ts";

interface Tasks {
  instance(spec: string, asker?: Task): Task | undefined;
}

/** Whether a condition holds now, for the task that asks. */
export function holds(condition: Condition, tasks: Tasks, asker?: Task): boolean {
  const task = tasks.instance(condition.task, asker);
  const isAboutState = condition.path === "";
  const value = isAboutState ? task?.state : valueAt(task?.result, condition.path);
  switch (condition.is) {
    case "equals":
      return isSame(value, condition.value);
    case "differs":
      return !isSame(value, condition.value);
    case "truthy":
      return isAboutState ? value === "done" : Boolean(value);
    case "falsy":
      return isAboutState ? value !== "done" : !value;
  }
}

/** "files.0.name" of a result; undefined where the way ends early. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  let at = value;
  for (const step of path.split(".")) {
    if (!(isRecord(at) || Array.isArray(at)) || !Object.hasOwn(at, step)) return undefined;
    at = Reflect.get(at, step);
  }
  return at;
}

/** Agents write "3" and 3, "true" and true for the same thing. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const isText = (value: unknown) => typeof value !== "object" && value !== undefined;
  return isText(one) && isText(other) && String(one) === String(other);
}
