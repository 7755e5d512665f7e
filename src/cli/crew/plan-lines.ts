import type { Planned } from "../../crew/index.ts";
import { paint } from "../print.ts";
import { plainText } from "../record/format.ts";
import { table } from "../table.ts";

/** What a run would begin with. */
export function planLines({ workflow, warnings }: Planned): string[] {
  const rows = workflow.tasks.map(({ id, role, dependsOn, title, verify, plans }) => [
    `  ${paint("bold", id)}`,
    role,
    dependsOn.length > 0 ? `after ${dependsOn.join(", ")}` : "at once",
    [
      plainText(title),
      ...(plans ? ["adds tasks to the run"] : []),
      ...verify.map((command) => `checked with ${plainText(command)}`),
    ].join("; "),
  ]);
  return [
    `${paint("bold", workflow.name)}  ${plainText(workflow.description)}`,
    ...table(rows),
    ...workflow.verify.map((command) => `  before each merge: ${plainText(command)}`),
    ...warnings.map((warning) => paint("yellow", plainText(warning))),
  ];
}
