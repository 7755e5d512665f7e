import { spawnSync } from "node:child_process";
import type { Command } from "commander";
import { daemonPaths, type Rule, Rules } from "../../daemon/index.ts";
import { usageError } from "../../errors/index.ts";
import { projectRoot } from "../../settings/index.ts";
import { paint, printJson, printLine } from "../print.ts";
import { oneLine, plain, when } from "../record/format.ts";
import { shownFolder } from "../shown-path.ts";

export function addRules(program: Command): void {
  const rules = program
    .command("rules")
    .option("--all", "of all projects")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A rule answers a question that somebody answered for good. Rules are kept in
your Seam folder, never in a project.

Examples:
  seam rules
  seam rules remove 3f9a12
  seam rules edit`,
    )
    .action(list);
  rules
    .command("remove <id>")
    .description("ask again from now on")
    .option("--json", "print JSON")
    .action(remove);
  rules.command("edit").description("open the file with the rules in $EDITOR").action(edit);
}

const open = () => new Rules(daemonPaths().home);

function list({ all, json }: { all?: boolean; json?: boolean }): void {
  const here = projectRoot(process.cwd());
  const rules = open()
    .list()
    .filter(({ project }) => all || project === here);
  if (json) printJson({ rules });
  else if (rules.length === 0) {
    printLine(all ? "There are no rules." : "There are no rules for this project.");
  } else for (const rule of rules) for (const line of linesOf(plain(rule), all)) printLine(line);
}

function linesOf(
  { id, project, by, tool, command, path, answer, at }: Rule,
  all = false,
): string[] {
  const what = command ?? path ?? "every call";
  return [
    `${paint("yellow", id)}  ${paint("bold", answer)}  ${tool}  ${oneLine(what)}`,
    paint("dim", `        to ${by}, since ${when(at)}${all ? `, in ${shownFolder(project)}` : ""}`),
  ];
}

function remove(id: string, { json }: { json?: boolean }): void {
  const rule = open().remove(id);
  if (json) printJson({ removed: rule });
  else printLine(`Removed. ${plain(rule.by)} asks again from now on.`);
}

function edit(): void {
  const rules = open();
  const editor = process.env.VISUAL || process.env.EDITOR || "vi";
  // As git does it: the setting may be a command with options.
  const { status, error } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "sh", rules.path], {
    stdio: "inherit",
  });
  if (status !== 0) {
    const how = error?.message ?? `code ${status}`;
    throw usageError(
      `The editor "${editor}" ended with ${how}.`,
      `Choose another one with EDITOR or VISUAL, or edit ${rules.path} yourself.`,
    );
  }
  rules.list();
}
