import type { Command } from "commander";
import { usageError } from "../../errors/index.ts";
import type { Repo } from "../../git/index.ts";
import {
  isRecorded,
  type Outgoing,
  type RepoRecord,
  remoteNamed,
  setSyncOnPush,
  sync,
} from "../../record/index.ts";
import { builtFile, loadSettings } from "../../settings/index.ts";
import { agreed } from "../ask/terminal.ts";
import { printJson, printLine, progressLine } from "../print.ts";
import { bytesText, plainText, plural } from "../record/format.ts";
import { switchedOff, withRecord } from "../record/open-record.ts";

interface Options {
  push?: boolean;
  fetch?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  withPush?: boolean;
  forget?: boolean;
  sendBack?: boolean;
  json?: boolean;
}

export function addSync(program: Command): void {
  program
    .command("sync")
    .argument("[remote]", "a remote or a URL (default: the setting checkpointRemote, or origin)")
    .option("--push", "only send")
    .option("--fetch", "only fetch")
    .option("--dry-run", "say what would be exchanged, change neither side")
    .option("-y, --yes", "do not ask before checkpoints go somewhere for the first time")
    .option("--forget", "also delete there what you deleted here with seam forget")
    .option("--send-back", "send again what somebody deleted there")
    .option("--with-push", "from now on, send checkpoints whenever you git push")
    .option("--no-with-push", "no longer send them with git push")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Checkpoints hold prompts and transcripts, without the secrets that were found in
them. Whoever can read the remote can read them: use a private one if your
repository is public. Snapshots of turns never leave this machine.

Examples:
  seam sync
  seam sync --dry-run
  seam sync git@example.com:me/private-checkpoints.git`,
    )
    .action((remote: string | undefined, options: Options) =>
      withRecord((record) => run(record, remote, options)),
    );
}

async function run(
  { store, repo }: RepoRecord,
  name: string | undefined,
  options: Options,
): Promise<void> {
  const { push, fetch, dryRun, json, withPush } = options;
  if (withPush !== undefined) {
    // Only where git's hooks are in place does a push call Seam.
    if (withPush && !(await isRecorded(repo))) throw switchedOff(repo);
    return setWithPush(repo, withPush, json === true);
  }
  if (push && fetch) {
    throw usageError(
      "--push and --fetch each mean: only this.",
      "Leave both out to fetch and to send.",
    );
  }
  const { checkpointRemote } = loadSettings(repo.workTree ?? repo.gitDir).settings;
  const remote = await remoteNamed(repo, name ?? checkpointRemote);
  const progress = progressLine();
  const confirm = (outgoing: Outgoing) => {
    progress.clear();
    if (!json) printLine(sending(outgoing, remote.shown));
    if (outgoing.forgets.length > 0) return agreed("Delete it there, and send the rest?", options);
    return !outgoing.isFirst || agreed("Send them?", options);
  };
  const done = await sync(store, remote, {
    push: !fetch,
    fetch: !push,
    dryRun: dryRun === true,
    forget: options.forget === true,
    sendBack: options.sendBack === true,
    confirm,
    progress: (text) => progress.show(text),
  }).finally(() => progress.clear());
  if (json) return printJson({ remote: remote.shown, dry_run: dryRun === true, ...done });
  const { received, sent, bytes, pushed } = done;
  const would = dryRun ? "Would receive" : "Received";
  if (!push) printLine(`${would} ${plural(received.length, "checkpoint")} from ${remote.shown}.`);
  if (fetch) return;
  if (done.undeleted) {
    const what = plural(done.undeleted.length, "checkpoint");
    printLine(`Nothing was sent: ${remote.shown} still has what you deleted here of ${what}.`);
    printLine("To delete it there too: seam sync --forget");
    process.exitCode = 1;
    return;
  }
  if (done.withdrawn) {
    const what = plural(done.withdrawn.length, "session");
    printLine(`Nothing was sent: somebody deleted ${what} on ${remote.shown} that you still have:`);
    for (const id of done.withdrawn) printLine(`  ${plainText(id)}`);
    printLine("To delete them here too: seam forget <session>");
    printLine("To send them there again: seam sync --send-back");
    process.exitCode = 1;
    return;
  }
  if (dryRun && sent.length > 0) {
    return printLine(`Would send ${plural(sent.length, "checkpoint")} (${bytesText(bytes)}).`);
  }
  if (pushed) return printLine(`Sent ${plural(sent.length, "checkpoint")} to ${remote.shown}.`);
  if (sent.length === 0) return printLine(`${remote.shown} has everything.`);
  printLine("Nothing was sent.");
  process.exitCode = 1;
}

function sending({ ids, bytes, isFirst, forgets }: Outgoing, to: string): string {
  if (forgets.length > 0) {
    const what = plural(forgets.length, "checkpoint");
    return `What you deleted here of ${what} is deleted on ${to} too. Whoever fetched it has it until they run seam forget.`;
  }
  const first = isFirst ? " It has none yet." : "";
  return `Sending ${plural(ids.length, "checkpoint")} (${bytesText(bytes)}) to ${to}.${first}`;
}

/** The choice holds for this repository until it is taken back. */
function setWithPush(repo: Repo, on: boolean, json: boolean): void {
  const program = builtFile("bin/seam.js");
  setSyncOnPush(repo, on ? [process.execPath, program] : undefined);
  if (json) {
    printJson({ with_push: on });
    return;
  }
  printLine(
    on
      ? "From now on checkpoints go along with every git push. Undo: seam sync --no-with-push"
      : "Checkpoints no longer go along with git push.",
  );
}
