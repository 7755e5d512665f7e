import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { grantsFolder } from "../../daemon/index.ts";
import { realTarget, replaceFile } from "../../files/index.ts";
import type { Grant } from "../../protection/index.ts";
import type { AttemptSpec } from "./attempt-spec.ts";

/** Where it stands what an attempt may do. */
export const grantFile = ({ home, id }: Pick<AttemptSpec, "home" | "id">) =>
  join(grantsFolder(home), `${id}.json`);

/** Says to the gate what an attempt may do. Before its process is there: no call of it is let pass unasked. */
export function writeGrant(spec: AttemptSpec): void {
  const { id, agent, access, allowCommands, mayPush, files, home, folder } = spec;
  const workspace = realTarget(spec.cwd);
  const session = spec.resume ?? spec.session;
  const grant: Grant = {
    id,
    agent,
    workspace,
    folder,
    access,
    allowCommands: [...allowCommands],
    mayPush,
    // Other workspaces stand beside this one.
    offLimits: [join(realTarget(home), "crew"), ...(spec.offLimits ?? [dirname(workspace)])],
    ...(files && { files: [...files] }),
    ...(session !== undefined && { session }),
  };
  const file = grantFile(spec);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(grant)}\n`);
}

/** Its processes are gone. */
export function removeGrant(spec: Pick<AttemptSpec, "home" | "id">): void {
  rmSync(grantFile(spec), { force: true });
}
