import type { Command } from "commander";
import { redactionProblems } from "../../record/index.ts";
import { loadSettings, SETTING_KEYS, SettingsSchema, settingsFiles } from "../../settings/index.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";
import { table } from "../table.ts";

export function addConfig(program: Command): void {
  const keys = SETTING_KEYS.map((key) => {
    const { description } = SettingsSchema.properties[key] as { description?: string };
    return `  ${key.padEnd(16)}${description ?? ""}`;
  });
  program
    .command("config")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Files:
  ~/.seam/settings.json          yours, for all projects
  .seam/settings.json            the project's, committed
  .seam/settings.local.json      the project's, on this machine

What a project's files tighten counts at once; what they run or loosen counts
after you agreed to them with seam trust, and never against your own file.

Settings:
${keys.join("\n")}

Examples:
  seam config
  seam config --json`,
    )
    .action(show);
}

async function show({ json }: { json?: boolean }): Promise<void> {
  const { crewSettingsProblems } = await import("../../crew/index.ts");
  const cwd = process.cwd();
  const { settings, origins, problems: unusable } = loadSettings(cwd);
  const problems = [...unusable, ...redactionProblems(cwd), ...crewSettingsProblems()];
  if (json) {
    const from = Object.fromEntries(origins);
    const errors = problems.map((problem) => problem.toJSON());
    printJson({ settings, origins: from, files: settingsFiles(cwd), problems: errors });
    return;
  }
  const rows = SETTING_KEYS.map((key) => {
    const origin = origins.get(key);
    const from = origin ? shownPath(origin) : "default";
    return [key, paint("dim", from), JSON.stringify(settings[key])];
  });
  for (const line of table(rows)) printLine(line);
  for (const { message, next } of problems) {
    printLine(`${paint("yellow", "!")} ${message}\n  ${next}`);
  }
}
