/** More tasks than this in one run are a mistake of a planner, not a plan. */
export const MOST_TASKS = 300;

/**
 * What a planner returns, as a JSON schema. Every field is required, since some agents accept only
 * schemas in which nothing is optional; an empty list says that there is nothing to say.
 */
export function planSchema(roles: readonly string[]): object {
  const text = (description: string) => ({ type: "string", description });
  const list = (description: string) => ({ type: "array", items: { type: "string" }, description });
  const fields = {
    id: text("A short name of this task: letters, digits and dashes."),
    title: text("What is done, in a few words."),
    role: { type: "string", enum: [...roles], description: "Who does it." },
    task: text("What the agent has to do, complete enough to be done without asking."),
    dependsOn: list("Ids of the tasks that have to be done before."),
    files: list(
      "Globs of the files it may change. Empty: any. Tasks that overlap do not run at once.",
    ),
  };
  return {
    type: "object",
    additionalProperties: false,
    required: ["summary", "tasks"],
    properties: {
      summary: text("The plan in one or two sentences."),
      tasks: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: Object.keys(fields),
          properties: fields,
        },
      },
    },
  };
}
