import type { Command } from "commander";
import { parseSource } from "../../extensions/index.ts";
import { type Added, type AddOptions, addPackage } from "../packages/add-package.ts";
import { packagePlace } from "../packages/package-place.ts";
import { printJson, printLine } from "../print.ts";

export function addExtAdd(ext: Command): void {
  ext
    .command("add")
    .description("add a package with extensions, skills, prompts or themes")
    .argument("<package>", "a name of npm with a version if you like, a git address, or ./folder")
    .option("--project", "for this project only, named in its .seam/settings.json")
    .option("--allow-scripts", "let the install scripts of packages run")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON; needs --yes")
    .addHelpText(
      "after",
      `
The package is fetched with npm or git into ~/.seam/packages (with --project into
.seam/packages), with what it depends on. You see what is in it, or what changed,
and decide; nothing of it runs before that. Install scripts do not run unless
you allow them. A folder is used where it is.

Examples:
  seam ext add pi-subagents
  seam ext add @scope/gate@1.4.0 --project
  seam ext add https://github.com/user/repository.git#v2
  seam ext add ./my-package
  seam ext remove pi-subagents       undo`,
    )
    .action(add);
}

async function add(text: string, options: AddOptions): Promise<void> {
  const source = parseSource(text, process.cwd());
  const added = await addPackage(source, packagePlace(options.project), options);
  if (options.json) return printJson(added);
  for (const line of addedLines(added)) printLine(line);
}

export function addedLines({ source, outcome, name = source, version = "" }: Added): string[] {
  const what = version === "" ? name : `${name} ${version}`;
  if (outcome === "declined") return ["Nothing was changed."];
  if (outcome === "unchanged") return [`${what} is in force already.`];
  if (outcome === "updated") return [`${what} is in force from the next session on.`];
  return [`Added ${what}. It runs from the next session on. Undo: seam ext remove ${name}`];
}
