import { mergeTasks } from "../../src/crew/merge/merge-tasks.ts";
import { atMost, type Case, interleave, median, medians } from "../frame.ts";
import { pathOf } from "../record/project.ts";
import type { BigProject } from "./big-project.ts";

const ROUNDS = { rounds: 11, warmUps: 2 };

/** What it takes to merge a task that fits, without the time of the commands that prove it. */
export async function* mergeCases(
  { project, second }: BigProject,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("merges");
  let at = 0;
  const merge = async () => {
    const n = ++at;
    project.git("checkout", "-q", "--detach", second);
    for (let i = 0; i < 5; i++)
      project.write(pathOf(n * 40 + i * 7), `export const task = ${n};\n`);
    project.git("commit", "-q", "-a", "-m", `Task ${n}`);
    const commit = project.git("rev-parse", "HEAD");
    let proving = 0;
    const startedAt = performance.now();
    await mergeTasks({
      repository: project.root,
      run: "bench",
      target: "seam/crew/bench",
      base: second,
      tasks: [{ task: `t${n}`, commit }],
      prove: async (candidate) => {
        const since = performance.now();
        await Promise.resolve();
        proving += performance.now() - since;
        return { passed: true, commit: candidate, checks: [] };
      },
    });
    return performance.now() - startedAt - proving;
  };
  const series = await interleave({ merge }, ROUNDS);
  yield atMost({
    name: "merge of a task without conflict, 50,000 files, beside its proof",
    value: median(series.merge),
    bar: 100,
    unit: "ms",
    detail: medians(series, "ms"),
  });
}
