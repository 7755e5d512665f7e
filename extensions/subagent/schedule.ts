import type { Run } from "./run.ts";

type Work = (run: Run) => Promise<void>;

interface Task {
  agent: string;
  task: string;
}
interface Wanted extends Partial<Task> {
  tasks?: Task[];
  chain?: Task[];
}
export type Shape =
  | { mode: "single"; tasks: Task[] }
  | { mode: "parallel"; tasks: Task[] }
  | { mode: "chain"; tasks: Task[] };

/** Which of the three shapes a call has. Throws if it is none or several. */
export function shapeOf({ agent, task, tasks, chain }: Wanted): Shape {
  const shapes: Shape[] = [];
  if (agent !== undefined && task !== undefined) {
    shapes.push({ mode: "single", tasks: [{ agent, task }] });
  }
  if (tasks) shapes.push({ mode: "parallel", tasks });
  if (chain) shapes.push({ mode: "chain", tasks: chain });
  const [shape, other] = shapes;
  if (!shape || other || shape.tasks.length === 0) {
    throw new Error("Give either agent and task, or tasks, or chain.");
  }
  return shape;
}

/** All runs, a few at the same time. One that fails does not keep the others from being done. */
export async function atMost(limit: number, runs: readonly Run[], work: Work): Promise<void> {
  const left = runs.values();
  const worker = async () => {
    // All workers draw from the same iterator, so each run is drawn once.
    for (const run of left) await work(run);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** One after the other, each with the result before; ends with the first that fails. */
export async function inTurn(
  runs: readonly Run[],
  work: Work,
  resultOf: (run: Run) => string,
): Promise<void> {
  let previous = "";
  for (const run of runs) {
    run.task = run.task.replaceAll("{previous}", () => previous);
    await work(run);
    if (run.status !== "done") return;
    previous = resultOf(run);
  }
}
