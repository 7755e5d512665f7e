import type { Command } from "commander";
import { workForPools } from "../../crew/index.ts";
import { daemonPaths } from "../../daemon/index.ts";
import { printJson, printLine } from "../print.ts";

const WORKER_HELP = `
All machines name one database, crew.database, in ~/.seam/settings.json, and the one
that starts runs names a git remote, crew.remote, that the others can reach too.

Examples:
  seam crew worker --pool linux              on the machine that helps
  seam crew run feature "…" --pool linux     where the run is started`;

/** Lets this machine work for runs that were started on others. */
export function addCrewWorker(crew: Command): void {
  crew
    .command("worker")
    .description("take tasks of runs that other machines started, until Ctrl+C")
    .requiredOption("--pool <name...>", "the pools to work for")
    .option("--json", "print JSON")
    .addHelpText("after", WORKER_HELP)
    .action(worker);
}

const STILL_THERE_MS = 5_000;

/** The daemon works; this says for which pools, again and again in case it was killed meanwhile. */
async function worker({ pool, json }: { pool: string[]; json?: boolean }): Promise<void> {
  const paths = daemonPaths();
  const { worker: name } = await workForPools(paths, pool);
  if (json) printJson({ worker: name, pools: pool });
  else printLine(`${name} takes tasks of ${pool.join(", ")}. Ctrl+C ends that.`);
  await new Promise<void>((resolve) => {
    const again = () => void workForPools(paths, pool).catch(() => {});
    const timer = setInterval(again, STILL_THERE_MS);
    const end = () => {
      clearInterval(timer);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  });
  await workForPools(paths, []);
}
