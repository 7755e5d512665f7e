import type { Command } from "commander";
import { SeamError, usageError } from "../../errors/index.ts";
import { projectRoot, withdraw } from "../../settings/index.ts";
import { isAsked } from "../ask/terminal.ts";
import { askYesNo } from "../ask/yes-no.ts";
import { printJson, printLine } from "../print.ts";
import { changedMeanwhile, isWaiting, type TrustItem, trustItems } from "../trust/items.ts";
import { itemLines } from "../trust/show-item.ts";

interface Options {
  yes?: boolean;
  revoke?: boolean;
  json?: boolean;
}

export function addTrust(program: Command): void {
  program
    .command("trust")
    .argument(
      "[names...]",
      "only these: names of extensions, or settings.json, settings.local.json",
    )
    .option("-y, --yes", "do not ask")
    .option("--remove, --revoke", "take it back: what you trusted no longer runs or counts")
    .option("--json", "print the state as JSON, change nothing")
    .addHelpText(
      "after",
      `
What comes with a project runs something, or makes Seam laxer, only after you
agreed to exactly that content: its extensions, and what .seam/settings.json and
.seam/settings.local.json ask for. Read it first: extensions can do what you can do.

A copy of what you agreed to is kept in ~/.seam/trusted, and the copy is what runs.
When files in the project change or go away, the copy goes on running; seam trust
shows the difference, and you decide. Until you say yes nothing changes.

Examples:
  seam trust                    look at what is new or changed, and decide
  seam trust my-gate            only this one
  seam trust --yes              agree to all of it, in a script
  seam trust --revoke my-gate   my-gate no longer runs
  seam trust --revoke           nothing of this project is trusted any more`,
    )
    .action(run);
}

async function run(names: readonly string[], { yes, revoke, json }: Options): Promise<void> {
  const root = projectRoot(process.cwd());
  const items = named(await trustItems(root), names);
  if (json) return printJson({ project: root, ...asJson(items) });
  if (revoke) return takeBack(root, items, names);
  if (items.length === 0) return printLine("Nothing of this project needs your trust.");
  for (const item of items) for (const line of itemLines(item)) printLine(line);
  const waiting = items.filter(isWaiting);
  if (waiting.length === 0) return printLine("All of it is trusted.");
  const possible = waiting.filter(({ problem }) => !problem);
  if (possible.length < waiting.length) process.exitCode = 1;
  if (possible.length === 0) return;
  if (!yes) {
    if (!(await agreed(possible))) return printLine("Nothing was changed.");
    // Files that change while somebody reads them may be harmless for just that moment.
    const changed = await changedMeanwhile(root, possible);
    if (changed.length > 0) {
      const names = changed.map(({ name }) => name).join(", ");
      throw new SeamError("SEAM_TRUST_CHANGED", { names });
    }
  }
  for (const item of possible) item.accept();
  const gone = possible.filter(({ trust }) => trust === "gone").length;
  const said = [
    ...(possible.length > gone ? [`Trusted ${possible.length - gone}.`] : []),
    ...(gone > 0 ? [`Let go of ${gone}.`] : []),
  ];
  printLine(`${said.join(" ")} Undo: seam trust --revoke`);
}

function named(items: readonly TrustItem[], names: readonly string[]): TrustItem[] {
  const unknown = names.find((wanted) => !items.some(({ name }) => name === wanted));
  if (unknown !== undefined) {
    const there = items.map(({ name }) => name).join(", ");
    const hint = there === "" ? "Nothing here asks to be trusted." : `There is: ${there}.`;
    throw usageError(`Nothing here is called "${unknown}".`, hint);
  }
  return items.filter(({ name }) => names.length === 0 || names.includes(name));
}

function takeBack(root: string, items: readonly TrustItem[], names: readonly string[]): void {
  if (names.length === 0) {
    withdraw(root);
    printLine("Nothing of this project is trusted any more.");
    return;
  }
  withdraw(
    root,
    items.map(({ path }) => path),
  );
  printLine(`No longer trusted: ${items.map(({ name }) => name).join(", ")}.`);
}

async function agreed(waiting: readonly TrustItem[]): Promise<boolean> {
  if (!isAsked()) {
    throw usageError(
      "There is no terminal to ask on.",
      "Read it first. To trust it without being asked, add --yes.",
    );
  }
  const one = waiting.length === 1;
  if (waiting.every(({ trust }) => trust === "gone")) {
    return askYesNo(`Let go of ${one ? "it" : "them"}? Then the copy no longer runs.`, false);
  }
  return askYesNo(`Did you read ${one ? "it" : "them"}? Trust?`, false);
}

function asJson(items: readonly TrustItem[]) {
  const shown = items.map(
    ({ accept: _, id: __, changes, problem, kind, asks, critical, ...item }) => ({
      ...item,
      ...(kind === "extension" ? { critical } : { asks }),
      kind,
      changes: changes.map(({ path, before, after }) => ({
        path,
        before: before?.toString("utf8") ?? null,
        after: after?.toString("utf8") ?? null,
      })),
      ...(problem && { problem: problem.toJSON() }),
    }),
  );
  return {
    settings: shown.filter(({ kind }) => kind === "settings"),
    extensions: shown.filter(({ kind }) => kind === "extension"),
    crew: shown.filter(({ kind }) => kind === "crew"),
  };
}
