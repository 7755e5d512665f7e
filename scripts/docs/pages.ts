import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { contract } from "./contract.ts";
import { coveragePage } from "./coverage-page.ts";
import { errorsPage } from "./errors-page.ts";
import { eventsPage } from "./events-page.ts";
import { faultsTable } from "./faults-table.ts";
import { keysTable } from "./keys-table.ts";
import { replaceGenerated } from "./markdown.ts";
import { leftOutNames, moduleNames } from "./module-names.ts";
import { policyTable } from "./policy-table.ts";
import { settingsTable } from "./settings-table.ts";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const src = fileURLToPath(new URL("../../src/", import.meta.url));
const present = (name: string) => readFileSync(docs + name, "utf8");

/** Path → text of every page and source file that is generated, wholly or in part. */
export function generatedPages(): Map<string, string> {
  return new Map([
    [`${src}events/contract.ts`, contract()],
    [`${docs}events.md`, eventsPage()],
    [`${docs}coverage.md`, coveragePage()],
    [`${docs}errors.md`, errorsPage()],
    [
      `${docs}pi.md`,
      replaceGenerated(
        replaceGenerated(present("pi.md"), "names", moduleNames()),
        "left-out",
        leftOutNames(),
      ),
    ],
    [`${docs}settings.md`, replaceGenerated(present("settings.md"), "settings", settingsTable())],
    [`${docs}security.md`, securityPage()],
    [`${docs}view.md`, replaceGenerated(present("view.md"), "keys", keysTable())],
  ]);
}

function securityPage(): string {
  const page = replaceGenerated(present("security.md"), "policies", policyTable());
  return replaceGenerated(page, "faults", faultsTable());
}
