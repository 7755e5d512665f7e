import type { Command } from "commander";
import { SessionStore } from "../../host/index.ts";
import { wholeNumber } from "../number-arguments.ts";
import { paint, printJson, printLine } from "../print.ts";
import { oneLine, plain, plural, when } from "../record/format.ts";
import { printLong } from "../record/pager.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  number: number;
  all?: boolean;
  json?: boolean;
}

type Info = ReturnType<SessionStore["list"]>[number];

export function addSessions(program: Command): void {
  program
    .command("sessions")
    .option("-n, --number <count>", "how many", wholeNumber, 20)
    .option("--all", "of all folders")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
To go on with one: seam run --resume <id>; the beginning of the id will do. What
other agents did is in: seam log

Examples:
  seam sessions
  seam sessions --all --json`,
    )
    .action(list);
}

async function list({ number, all, json }: Options): Promise<void> {
  const found = new SessionStore().list(all ? undefined : process.cwd());
  const shown = found.slice(0, number);
  if (json) return printJson(shown);
  if (shown.length === 0) {
    return printLine(
      all ? "There are no sessions yet." : "There are no sessions in this folder yet.",
    );
  }
  await printLong(shown.flatMap((info) => linesOf(plain({ ...info, ...times(info) }), all)));
}

const times = ({ created, modified }: Info) => ({
  created: created.toISOString(),
  modified: modified.toISOString(),
});

function linesOf(
  info: Omit<Info, "created" | "modified"> & ReturnType<typeof times>,
  all = false,
): string[] {
  const { id, cwd, name, modified, messageCount, isEstimate, firstMessage } = info;
  const facts = [
    when(modified),
    `${isEstimate ? "about " : ""}${plural(messageCount, "message")}`,
    ...(all ? [shownPath(cwd)] : []),
  ];
  return [
    `${paint("yellow", id)}  ${facts.join(", ")}`,
    `  ${oneLine(name ?? firstMessage) || paint("dim", "nothing said yet")}`,
  ];
}
