import type { Command } from "commander";
import { unnameInSettings, withPackages } from "../../extensions/index.ts";
import { namedPackage } from "../packages/named-package.ts";
import { packagePlace } from "../packages/package-place.ts";
import { printJson, printLine } from "../print.ts";

interface Options {
  project?: boolean;
  json?: boolean;
}

export function addExtRemove(ext: Command): void {
  ext
    .command("remove")
    .description("remove a package that was added")
    .argument("<package>", "its name")
    .option("--project", "of this project")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nA folder that was added stays where it is.\n\nExamples:\n  seam ext remove pi-subagents\n  seam ext remove @scope/gate --project",
    )
    .action(remove);
}

async function remove(wanted: string, { project, json }: Options): Promise<void> {
  const place = packagePlace(project);
  const { entry, name } = namedPackage(place, wanted);
  await withPackages(place, async () => unnameInSettings(place, entry));
  if (json) return printJson({ removed: name, source: entry });
  printLine(`Removed ${name}. Undo: seam ext add "${entry}"${project ? " --project" : ""}`);
}
