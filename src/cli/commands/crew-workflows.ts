import type { Command } from "commander";
import { findCrewFiles } from "../../crew/index.ts";
import { openRepo } from "../../git/index.ts";
import { seamHome } from "../../settings/index.ts";
import { paint, printJson, printLine } from "../print.ts";
import { plainText } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";
import { table } from "../table.ts";

/** What there is for this folder: workflows, teams, and the roles that tasks can have. */
export function addCrewWorkflows(crew: Command): void {
  crew
    .command("workflows")
    .description("list the workflows, teams and roles there are, and where each comes from")
    .option("--json", "print JSON")
    .action(run);
}

async function run({ json }: { json?: boolean }): Promise<void> {
  const repo = await openRepo(process.cwd());
  const repository = repo?.workTree;
  const files = findCrewFiles({
    home: seamHome(),
    ...(repository !== undefined && { repository }),
  });
  const workflows = unique(files.workflows).map(({ name, description, source, tasks }) => ({
    name,
    description,
    tasks: tasks.map(({ id }) => id),
    ...placeOf(source),
  }));
  const teams = unique(files.teams).map(
    ({ name, description, source, roles, defaultWorkflow }) => ({
      name,
      description,
      workflow: defaultWorkflow,
      roles: roles.map((role) => role.name),
      ...placeOf(source),
    }),
  );
  const roles = unique(files.agents.map((file) => ({ ...file, name: file.role.name }))).map(
    ({ name, role, source }) => ({
      name,
      description: role.description,
      access: role.access,
      agents: role.agents,
      ...placeOf(source),
    }),
  );
  if (json) return printJson({ workflows, teams, roles });
  print("Workflows", workflows, ({ tasks }) => tasks.join(", "));
  print("Teams", teams, (team) => team.roles.join(", "));
  print("Roles", roles, ({ access }) => (access === "read" ? "reads" : "writes"));
  printLine(paint("dim", "Your own go to .seam/crew or ~/.seam/crew: see docs/crews.md"));
}

/** The first of a name is the one that counts. */
function unique<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].reverse();
}

function placeOf({ origin, path }: { origin: string; path: string }) {
  return { origin, path };
}

interface Row {
  readonly name: string;
  readonly description: string;
  readonly origin: string;
  readonly path: string;
}

function print<T extends Row>(title: string, rows: readonly T[], about: (row: T) => string): void {
  if (rows.length === 0) return;
  printLine(paint("bold", title));
  const cells = rows.map((row) => [
    `  ${plainText(row.name)}`,
    paint("dim", row.origin === "shipped" ? "comes with Seam" : plainText(shownPath(row.path))),
    `${plainText(row.description)} ${paint("dim", `(${plainText(about(row))})`)}`,
  ]);
  for (const line of table(cells)) printLine(line);
  printLine();
}
