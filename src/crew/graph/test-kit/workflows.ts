import type { Role, TaskSpec, Workflow } from "../../model/workflow.ts";

export const role = (name: string, access: Role["access"] = "write"): Role => ({
  name,
  description: "",
  access,
  instructions: `You are ${name}.`,
  agents: [],
  allowCommands: [],
  mayPush: false,
});

/** A task that needs nothing said about it but what the test is about. */
export const task = (id: string, rest: Partial<TaskSpec> = {}): TaskSpec => ({
  id,
  title: id,
  role: "worker",
  prompt: `Do ${id} for {goal}`,
  agents: [],
  dependsOn: [],
  reads: [],
  onFail: "stop",
  plans: false,
  verify: [],
  budget: {},
  approve: false,
  expects: "change",
  stallMinutes: 10,
  ...rest,
});

export const workflow = (tasks: readonly TaskSpec[], rest: Partial<Workflow> = {}): Workflow => ({
  name: "test",
  description: "",
  tasks,
  roles: { worker: role("worker"), reader: role("reader", "read") },
  maxConcurrency: 8,
  budget: {},
  verify: [],
  approvePlan: true,
  approveMerge: false,
  ...rest,
});
