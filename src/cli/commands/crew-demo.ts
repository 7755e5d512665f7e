import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { showRun, startRun } from "../../crew/index.ts";
import { GOAL, roleFile, SCRIPTS, WORKFLOW } from "../crew/demo-script.ts";
import { printFollowed } from "../crew/follow.ts";
import { reportLines } from "../crew/run-lines.ts";
import { makeScratch, type Scratch } from "../demo/scratch.ts";
import { paint, printJson, printLine } from "../print.ts";
import { plain } from "../record/format.ts";

export function addCrewDemo(crew: Command): void {
  crew
    .command("demo")
    .description("watch a crew of scripted agents in a scratch repository")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A planner, two writers at once, a check that fails once and then passes, a conflict
that is resolved by the one who made it, and a merge. Needs no key and no network,
and touches nothing of yours.

Examples:
  seam crew demo
  seam crew demo --json`,
    )
    .action(demo);
}

async function demo({ json }: { json?: boolean }): Promise<void> {
  const scratch = await makeScratch();
  try {
    await play(scratch, json === true);
  } finally {
    await scratch.remove();
  }
}

async function play(scratch: Scratch, json: boolean): Promise<void> {
  const { project, paths } = scratch;
  writeCrew(join(project, ".."), paths.home);
  const say = (text = "") => {
    if (!json) printLine(text);
  };
  say(paint("bold", "A crew of scripted agents, in a scratch repository"));
  say(`${paint("cyan", "›")} seam crew run demo "${GOAL}"`);
  const { run } = await startRun(paths, { workflow: "demo", goal: GOAL, cwd: project });
  await printFollowed(paths, run.id, { untilOver: true, isSilent: json });
  const report = await showRun(paths, run.id);
  if (json) return printJson(plain(report));
  const log = await scratch.git(["log", "--graph", "--oneline", "--no-decorate", run.target]);
  say();
  say(paint("bold", `What was merged (git log ${run.target})`));
  say(log.trimEnd());
  say();
  say(paint("bold", "Everything about it (seam crew show last)"));
  for (const line of reportLines(report)) say(line);
  say();
  say(paint("bold", "In your own repository"));
  say('  seam crew run fix-bug "what is wrong" --agent claude-code');
  say('  seam crew run feature "what is wanted" --agent claude-code codex --plan');
  say("  seam crew status -f      follow it; it goes on without the terminal");
  say("  seam crew land last      bring the result to your branch");
}

/** The workflow and its roles, as files of the demo's own home. */
function writeCrew(root: string, home: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(home, "crew/workflows/demo.workflow.md"), WORKFLOW);
  for (const [name, turns] of Object.entries(SCRIPTS)) {
    const script = join(root, `${name}.json`);
    write(script, JSON.stringify(turns));
    write(join(home, `crew/agents/${name}.md`), roleFile(name, script));
  }
}
