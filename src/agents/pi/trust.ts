import { join } from "node:path";
import type { AgentFolders } from "../agent.ts";
import { realName } from "../install/folders.ts";
import type { Finding, InstallPlan } from "../install/installer.ts";
import { dig, jsonAt } from "../install/json-value.ts";
import { installedVersion, isBefore } from "../program.ts";
import { program } from "./program.ts";

/** From this version on Pi loads a project's extensions only where the user trusts the project. */
const TRUSTS_SINCE = "0.79.0";

export const configDir = ({ env, home }: AgentFolders) =>
  env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent");

/** What keeps Pi from loading Seam's extension. Seam only looks: agreeing is the user's. */
export async function examineTrust({ level, place }: InstallPlan): Promise<Finding[]> {
  if (level !== "project" || isTrusted(place)) return [];
  const version = await installedVersion(program, place);
  // A version that cannot be found out is taken for a new one.
  if (version !== undefined && isBefore(version, TRUSTS_SINCE)) return [];
  return [
    {
      level: "warning",
      code: "folder-untrusted",
      text: `Pi ${version ?? `from ${TRUSTS_SINCE} on`} does not load a project's extensions until you trust the project; pi -p leaves them out without a word.`,
      next: `Run pi in ${place.project} and choose to trust it, or pi -p --approve. Extensions at user level need no trust: seam disable --agent pi && seam enable --agent pi --level user`,
      stops: { all: true, why: "Pi does not trust this project" },
    },
  ];
}

/** The nearest folder that the user decided about counts; else what they said for all. */
function isTrusted(place: AgentFolders): boolean {
  const decisions = jsonAt(join(configDir(place), "trust.json"));
  for (const folder of upwards(realName(place.project))) {
    const decision = dig(decisions, folder);
    if (typeof decision === "boolean") return decision;
  }
  return dig(jsonAt(join(configDir(place), "settings.json")), "defaultProjectTrust") === "always";
}

function upwards(folder: string): string[] {
  const parent = join(folder, "..");
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}
