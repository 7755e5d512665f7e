import { join } from "node:path";
import { AGENT_NAMES } from "../../agents/index.ts";
import { explain, SeamError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import { loadUserSettings, seamHome } from "../../settings/index.ts";

/** Agents in the settings of crews that do not exist, so that what is said of them limits nothing. */
export function crewSettingsProblems(): readonly SeamError[] {
  const { atOnceFor = {} } = loadUserSettings().crew;
  return Object.keys(atOnceFor).flatMap((name) => {
    if (AGENT_NAMES.some((one) => one === name)) return [];
    const close = nearest(name, AGENT_NAMES);
    const hint = close === undefined ? `There are ${AGENT_NAMES.join(", ")}.` : meant(close);
    const path = join(seamHome(), "settings.json");
    return [new SeamError("SEAM_SETTINGS_UNKNOWN", { path, key: `crew.atOnceFor.${name}`, hint })];
  });
}

/** The same for whoever starts a run, and whether a limit was meant for the pool that is to do it. */
export function settingsWarnings(pool: string | undefined): string[] {
  const said = crewSettingsProblems().map(explain);
  const pools = Object.keys(loadUserSettings().crew.atOnceIn ?? {});
  // People call pools as they like: only two names that are nearly the same are worth a word.
  const close = pool === undefined || pools.includes(pool) ? undefined : nearest(pool, pools);
  if (close === undefined) return said;
  return [...said, `"crew.atOnceIn" has no limit for the pool "${pool}". ${meant(close)}`];
}

const meant = (name: string) => `Did you mean "${name}"?`;
