import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { distrust, projectExtensions, type Trust, trust, trustOf } from "../../extensions/index.ts";
import { projectRoot } from "../../settings/index.ts";
import { isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { printJson, printLine, table } from "../print.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  yes?: boolean;
  revoke?: boolean;
  json?: boolean;
}

const SAID: Record<Trust, string> = {
  trusted: "trusted",
  new: "new, never looked at",
  changed: "changed since you trusted it",
};

export function addTrust(program: Command): void {
  program
    .command("trust")
    .description("let this project's extensions run")
    .option("-y, --yes", "do not ask")
    .option("--revoke", "take it back")
    .option("--json", "print the state as JSON, change nothing")
    .addHelpText(
      "after",
      `
Extensions that come with a project run only after you trusted them, and again
after one of their files changed. Read them first: they can do what you can do.

Examples:
  seam trust
  seam trust --yes
  seam trust --revoke`,
    )
    .action(run);
}

async function run({ yes, revoke, json }: Options): Promise<void> {
  const root = projectRoot(process.cwd());
  const found = projectExtensions(root).map(({ name, path }) => ({
    name,
    path,
    trust: trustOf(root, path),
  }));
  if (json) return printJson({ project: root, extensions: found });
  if (revoke) {
    distrust(root);
    return printLine("No extension of this project is trusted any more.");
  }
  if (found.length === 0) return printLine("This project has no extensions.");
  for (const line of table(found.map((f) => [shownPath(f.path), SAID[f.trust]]))) printLine(line);
  const waiting = found.filter(({ trust: state }) => state !== "trusted");
  if (waiting.length === 0) return printLine("All of them are trusted.");
  if (!yes && !(await agreed(waiting.length))) return printLine("Nothing was changed.");
  trust(
    root,
    waiting.map(({ path }) => path),
  );
  printLine(`Trusted ${waiting.length}. Undo: seam trust --revoke`);
}

async function agreed(count: number): Promise<boolean> {
  if (!isAsked()) {
    const detail = "There is no terminal to ask on. Use --yes to trust without being asked.";
    throw new SeamError("SEAM_USAGE", { detail });
  }
  return askYesNo(`Did you read ${count === 1 ? "it" : "them"}? Trust?`, false);
}
