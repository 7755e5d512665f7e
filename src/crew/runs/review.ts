import type { Task } from "../model/run.ts";

/** What a reviewer says. */
export const reviewSchema = {
  type: "object",
  additionalProperties: false,
  required: ["approved", "comments"],
  properties: {
    approved: { type: "boolean", description: "Whether the work can be merged as it is." },
    comments: { type: "string", description: "What has to be changed, or why it is good." },
  },
};

/** What a reviewer is told. */
export function reviewPrompt(task: Task, goal: string, base: string): string {
  return [
    `Another agent did the task "${task.title}" in this folder. Review its work; change nothing.`,
    `What it changed is shown by: git diff ${base}`,
    `The goal of the whole run: ${goal}`,
    "Say whether it can be merged, and if not, what exactly has to be changed.",
  ].join("\n\n");
}
