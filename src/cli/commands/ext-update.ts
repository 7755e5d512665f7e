import type { Command } from "commander";
import { type PackageSource, updateSource } from "../../extensions/index.ts";
import { type Added, type AddOptions, addPackage } from "../packages/add-package.ts";
import { namedPackage, namedPackages } from "../packages/named-package.ts";
import { packagePlace } from "../packages/package-place.ts";
import { printJson, printLine } from "../print.ts";
import { addedLines } from "./ext-add.ts";

export function addExtUpdate(ext: Command): void {
  ext
    .command("update")
    .description("fetch the newest version of packages, and show what changed")
    .argument("[package]", "its name; without it, all packages")
    .option("--project", "those of this project")
    .option("--allow-scripts", "let the install scripts of packages run")
    .option("-y, --yes", "do not ask")
    .option("--json", "print JSON; needs --yes")
    .addHelpText(
      "after",
      `
You see how the files of each package differ from those in force, and which
versions of what it depends on change, and decide. Until you say yes, the version
you have goes on running. A package that was added with a range, a tag or a branch
(seam ext add name@^2) is updated within it.

Examples:
  seam ext update
  seam ext update pi-subagents --yes`,
    )
    .action(update);
}

async function update(wanted: string | undefined, options: AddOptions): Promise<void> {
  const place = packagePlace(options.project);
  const all = wanted === undefined ? namedPackages(place) : [namedPackage(place, wanted)];
  const sources = all.flatMap(({ entry }): PackageSource[] => {
    const source = updateSource(entry);
    return source ? [source] : [];
  });
  const done: Added[] = [];
  for (const source of sources) {
    const added = await addPackage(source, place, options);
    done.push(added);
    if (!options.json) for (const line of addedLines(added)) printLine(line);
  }
  if (options.json) return printJson({ packages: done });
  if (done.length === 0) printLine("No packages to update. Add one: seam ext add <package>");
}
