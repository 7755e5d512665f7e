import { join } from "node:path";
import type { Command } from "commander";
import { recorded } from "../../daemon/index.ts";
import type { SessionMetadata } from "../../record/index.ts";
import { makeScratch, type Scratch } from "../demo/scratch.ts";
import { PROMPT } from "../demo/script.ts";
import { paint, printJson, printLine } from "../print.ts";
import { hanging } from "../record/lines.ts";
import { addressOfPage } from "./view.ts";

export function addDemo(program: Command): void {
  program
    .command("demo")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Needs no key and no network, and touches nothing of yours. On a terminal it ends
with the page on what happened, and stays until Ctrl+C; in a pipe it ends.

Examples:
  seam demo
  seam demo --json`,
    )
    .action(demo);
}

interface Shown {
  checkpoints: { id: string; sessions: { metadata: SessionMetadata }[] }[];
}

async function demo({ json }: { json?: boolean }): Promise<void> {
  const scratch = await makeScratch();
  try {
    await play(scratch, json === true);
    if (!json) await showPage(scratch);
  } finally {
    await scratch.remove();
  }
}

/** The page on what just happened: for as long as somebody is there to look at it. */
async function showPage({ paths }: Scratch): Promise<void> {
  const url = await addressOfPage(paths);
  printLine();
  printLine(paint("bold", "The same in a browser (seam view)"));
  if (!process.stdout.isTTY || !process.stdin.isTTY) {
    printLine("  In a terminal, this ends with a page that shows all of it.");
    return;
  }
  await new Promise<void>((resolve) => {
    // Something has to be waited for, or the process would end.
    const waiting = setInterval(() => {}, 60_000);
    const end = () => {
      clearInterval(waiting);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
    // Whoever reads this may press the keys at once.
    printLine(`  ${url}`);
    printLine(paint("dim", "The address works once. Ctrl+C ends the demo and removes its folder."));
  });
}

async function play(scratch: Scratch, json: boolean): Promise<void> {
  const say = (text = "") => {
    if (!json) for (const line of text.split("\n").flatMap(hanging)) printLine(line);
  };
  const model = `scripted:${join(scratch.project, "../turns.json")}`;
  say(paint("bold", "Seam's own agent, with a scripted model, in a scratch repository"));
  say(`${paint("cyan", "›")} ${PROMPT}`);
  // What the agent says is shown line by line, while it says it.
  let begun = "";
  await scratch.seam(["run", "-p", PROMPT, "--model", model], (text) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) say(line);
  });
  if (begun !== "") say(begun);
  await recorded(scratch.paths);
  const text = await scratch.seam(["show", "HEAD"]);
  const shown = JSON.parse(await scratch.seam(["show", "HEAD", "--json"])) as Shown;
  const checkpoint = shown.checkpoints[0];
  const session = checkpoint?.sessions[0]?.metadata;
  if (json) return printJson({ checkpoint: checkpoint?.id, session });
  say();
  say(paint("bold", "What the commit's record says (seam show HEAD)"));
  say(text.trimEnd());
  say();
  say(paint("bold", "The skill event, as it is stored"));
  say(JSON.stringify(session?.skill_events?.[0], null, 2));
  say();
  say(paint("bold", "In your own repository"));
  say("  seam enable            let your coding agents call Seam, and record what they do");
  say("  seam ext new my-gate   write an extension that stops or changes what they do");
  say("  seam log               see what they did");
}
