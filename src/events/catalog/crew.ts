import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

const ofRun = {
  run: Type.String({ description: "The id of the run." }),
  goal: Type.String({ description: "What the crew is to do." }),
  workflow: Type.String({ description: "The name of the workflow." }),
};
const ofTask = {
  run: Type.String({ description: "The id of the run." }),
  task: Type.String({ description: "The id of the task in the run." }),
  title: Type.String({ description: "What the task is called." }),
  role: Type.String({ description: "The role of the agent that does it." }),
};
const use = Type.Object(
  {
    dollars: Type.Optional(Type.Number({ description: "US dollars, as far as they are known." })),
    tokens: Type.Number({ description: "Tokens of all model calls." }),
    minutes: Type.Number({ description: "Minutes that agents worked." }),
    turns: Type.Number({ description: "Turns of agents." }),
  },
  { description: "What was used." },
);
const reason = Type.Optional(
  Type.String({ description: "Why it ended so, if there is more to say." }),
);
const Block = {
  block: Type.Optional(Type.Boolean({ description: "It does not happen." })),
  reason: Type.Optional(
    Type.String({ description: "Kept with the run, and shown to whoever looks at it." }),
  ),
};
const blocks = (result: Readonly<Record<string, unknown>>) => result.block === true;

export const crewEvents = {
  crew_run_start: declare("crew_run_start", {
    group: "crew",
    kind: "gate",
    doc: "Before a crew begins a run. Block it, and nothing is started.",
    payload: Type.Object({
      ...ofRun,
      tasks: Type.Array(
        Type.Object({
          id: Type.String({ description: "Its id." }),
          role: Type.String({ description: "Whose it is." }),
          verify: Type.Array(Type.String(), { description: "What Seam runs after it." }),
        }),
        { description: "The tasks there are before it starts." },
      ),
    }),
    result: Type.Object(Block),
    stops: blocks,
  }),
  crew_run_end: declare("crew_run_end", {
    group: "crew",
    kind: "observe",
    doc: "A run ended.",
    payload: Type.Object({
      ...ofRun,
      state: about(S.oneOf("done", "failed", "cancelled"), "How it ended."),
      reason,
      use,
    }),
  }),
  crew_task_start: declare("crew_task_start", {
    group: "crew",
    kind: "gate",
    doc: "Before an agent begins a task, also when it is tried again. Block it, and the task fails.",
    payload: Type.Object({
      ...ofTask,
      agent: Type.String({ description: "The agent that is to do it." }),
      model: Type.Optional(
        Type.String({ description: "The model it is to use, if one is named." }),
      ),
      attempt: Type.Integer({ description: "Which attempt this is, from 1." }),
    }),
    result: Type.Object(Block),
    stops: blocks,
  }),
  crew_task_end: declare("crew_task_end", {
    group: "crew",
    kind: "observe",
    doc: "A task ended: its work is merged, or it failed, was skipped or cancelled.",
    payload: Type.Object({
      ...ofTask,
      state: about(S.oneOf("done", "failed", "skipped", "cancelled"), "How it ended."),
      reason,
      result: Type.Optional(Type.Unknown({ description: "What it returned." })),
      use,
    }),
  }),
  crew_message: declare("crew_message", {
    group: "crew",
    kind: "gate",
    doc: "Before a message of one task to another is delivered. Block it, and it is kept undelivered.",
    payload: Type.Object({
      run: Type.String({ description: "The id of the run." }),
      from: Type.String({ description: "The task that sends it, or `person`." }),
      to: Type.String({ description: "The task it is for, or `all`." }),
      text: Type.String({ description: "The message." }),
    }),
    result: Type.Object(Block),
    stops: blocks,
  }),
  crew_merge: declare("crew_merge", {
    group: "crew",
    kind: "gate",
    doc: "Before work that was proved is merged. Block it, and it waits for a person.",
    payload: Type.Object({
      run: Type.String({ description: "The id of the run." }),
      tasks: Type.Array(Type.String(), { description: "The tasks whose work it is." }),
      target: Type.String({ description: "The branch it goes to." }),
      commit: Type.String({ description: "The commit that the branch would be at." }),
      files: Type.Array(Type.String(), { description: "The files that change." }),
    }),
    result: Type.Object(Block),
    onFailure: "block",
    stops: blocks,
  }),
  crew_budget: declare("crew_budget", {
    group: "crew",
    kind: "observe",
    doc: "A budget is nearly or wholly used up.",
    payload: Type.Object({
      run: Type.String({ description: "The id of the run." }),
      task: Type.Optional(
        Type.String({ description: "The task whose budget it is, if it is one's." }),
      ),
      of: about(S.oneOf("task", "run", "day"), "What the budget is for."),
      state: about(S.oneOf("near", "over"), "Four fifths of it are used, or all."),
      text: Type.String({ description: "How much of what, in words." }),
      use,
    }),
  }),
};
