import type { Command } from "commander";
import { Models } from "../../host/index.ts";
import { printLine } from "../print.ts";

export function addLogout(program: Command): void {
  program
    .command("logout")
    .argument("[provider]", "the provider; without it, the stored logins are listed")
    .addHelpText("after", "\nExamples:\n  seam logout\n  seam logout corp")
    .action(logout);
}

async function logout(wanted: string | undefined): Promise<void> {
  const models = new Models();
  if (wanted === undefined) {
    const kept = models.storedLogins();
    for (const name of kept) printLine(name);
    if (kept.length === 0) printLine("No logins are kept.");
    return;
  }
  await models.logout(wanted);
  printLine(`You are logged out of ${models.getProviderDisplayName(wanted)}.`);
}
