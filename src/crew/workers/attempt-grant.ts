import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentNamed } from "../../agents/index.ts";
import { grantsFolder } from "../../daemon/index.ts";
import { realTarget, replaceFile } from "../../files/index.ts";
import type { Grant } from "../../protection/index.ts";
import { readerSandbox } from "../containment/reader-sandbox.ts";
import { repositoryFolders } from "../containment/repository-folders.ts";
import type { AttemptSpec } from "./attempt-spec.ts";

/** Where it stands what an attempt may do. */
export const grantFile = ({ home, id }: Pick<AttemptSpec, "home" | "id">) =>
  join(grantsFolder(home), `${id}.json`);

/** Says to the gate what an attempt may do. Before its process is there: no call of it is let pass unasked. */
export async function writeGrant(spec: AttemptSpec): Promise<void> {
  const { id, agent, access, allowCommands, mayPush, files, home, folder } = spec;
  const workspace = realTarget(spec.cwd);
  const session = spec.resume ?? spec.session;
  const folders = repositoryFolders(workspace);
  const repository = folders ? [...folders.checkouts, folders.common] : [];
  const confines = access === "read" ? await sandboxFor(spec, repository) : undefined;
  const grant: Grant = {
    id,
    agent,
    workspace,
    folder,
    access,
    allowCommands: [...allowCommands],
    mayPush,
    // Other workspaces stand beside this one, and the user's own checkout is nobody's workspace.
    offLimits: [
      join(realTarget(home), "crew"),
      ...repository,
      ...(spec.offLimits ?? [dirname(workspace)]),
    ],
    ...(confines && { sandbox: confines }),
    ...(files && { files: [...files] }),
    ...(session !== undefined && { session }),
  };
  const file = grantFile(spec);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(grant)}\n`);
}

/** What a reader's commands are run in. Empty: its agent has a sandbox of its own. */
async function sandboxFor(
  { agent, cwd }: AttemptSpec,
  repository: readonly string[],
): Promise<string[] | undefined> {
  if (agentNamed(agent)?.headless?.confinesReaders) return [];
  return readerSandbox([realTarget(cwd), ...repository]);
}

/** Its processes are gone. */
export function removeGrant(spec: Pick<AttemptSpec, "home" | "id">): void {
  rmSync(grantFile(spec), { force: true });
}
