import type { Command } from "commander";
import {
  findCrewFiles,
  problemLine,
  resolveWorkflow,
  type WorkflowProblem,
} from "../../crew/index.ts";
import { openRepo } from "../../git/index.ts";
import { seamHome } from "../../settings/index.ts";
import { paint, printJson, printLine } from "../print.ts";
import { plainText } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";

/** Says what is wrong with workflows before anything starts. */
export function addCrewCheck(crew: Command): void {
  crew
    .command("check [workflow]")
    .description("look for mistakes in a workflow, or in all there are; starts nothing")
    .option("--team <name>", "the team whose roles are meant")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Mistakes are printed with file, line and the nearest word, as compilers do it. Ends
with 1 if there is an error.

Examples:
  seam crew check
  seam crew check fix-bug
  seam crew check ./my.workflow.md --json`,
    )
    .action(run);
}

interface Options {
  json?: boolean;
  team?: string;
}

async function run(name: string | undefined, { json, team }: Options): Promise<void> {
  const cwd = process.cwd();
  const repository = (await openRepo(cwd))?.workTree;
  const place = repository === undefined ? {} : { repository };
  const files = findCrewFiles({ home: seamHome(), ...place });
  const names = name === undefined ? [...new Set(files.workflows.map((one) => one.name))] : [name];
  const checked = names.map((one) => ({
    name: one,
    ...resolveWorkflow(files, one, { cwd, ...place, ...(team !== undefined && { team }) }),
  }));
  const beside = name === undefined ? [...files.problems, ...fileProblems(files)] : [];
  const problems = unique([...checked.flatMap((one) => one.problems), ...beside]);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (errors > 0) process.exitCode = 1;
  if (json) {
    printJson({
      ok: errors === 0,
      problems,
      workflows: checked.map(({ name: id, workflow, untrusted }) => ({
        name: id,
        ok: workflow !== undefined,
        untrusted,
      })),
    });
    return;
  }
  for (const problem of problems) {
    const line = plainText(problemLine({ ...problem, file: shownPath(problem.file) }));
    printLine(problem.severity === "error" ? paint("red", line) : paint("yellow", line));
  }
  for (const { name: id, workflow, untrusted } of checked) {
    if (workflow)
      printLine(`${paint("green", "✓")} ${plainText(id)}: ${tasksIn(workflow.tasks.length)}`);
    for (const { path, asks } of untrusted) {
      printLine(
        paint("yellow", `  ${plainText(shownPath(path))} waits for your agreement: seam trust`),
      );
      for (const ask of asks) printLine(paint("dim", `    ${plainText(ask)}`));
    }
  }
}

/** What is wrong with files that no workflow names. */
function fileProblems({ agents, teams }: ReturnType<typeof findCrewFiles>): WorkflowProblem[] {
  return [...agents, ...teams].flatMap((file) => file.problems);
}

function unique(problems: readonly WorkflowProblem[]): WorkflowProblem[] {
  return [...new Map(problems.map((problem) => [problemLine(problem), problem])).values()];
}

const tasksIn = (count: number) => (count === 1 ? "1 task" : `${count} tasks`);
