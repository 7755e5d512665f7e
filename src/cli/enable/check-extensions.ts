import { agentsFiring, type Finding, firing } from "../../agents/index.ts";
import { isCrewEvent, isEventName } from "../../events/index.ts";
import { checkExtensions, findExtensions } from "../../extensions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { loadCacheDir } from "../load-cache.ts";
import { shownPath } from "../shown-path.ts";

/** Extensions that do not run, or listen for what no enabled agent ever fires. */
export async function extensionFindings(enabled: readonly string[]): Promise<Finding[]> {
  const cwd = process.cwd();
  const { sources, untrusted, problems } = findExtensions({ cwd });
  const { loadDeadlineMs } = loadSettings(cwd).settings;
  const reports = await checkExtensions(sources, { cwd, cacheDir: loadCacheDir(), loadDeadlineMs });
  const findings: Finding[] = problems.map(({ code, message, next }) => ({
    level: "warning",
    code,
    text: message,
    next,
  }));
  for (const { path } of untrusted) {
    const text = `${shownPath(path)} does not run: you have not trusted it.`;
    findings.push({ level: "warning", code: "extension-untrusted", text, next: "Run: seam trust" });
  }
  for (const { name, ok, events, problems: found } of reports) {
    for (const { severity, code, message, next } of found) {
      findings.push({ level: severity, code, text: message, next });
    }
    const deaf = ok ? events.filter((event) => isDeaf(event, enabled)) : [];
    for (const event of deaf) findings.push(deafFinding(name, event, enabled));
  }
  return findings;
}

function isDeaf(event: string, enabled: readonly string[]): boolean {
  if (!isEventName(event) || isCrewEvent(event) || enabled.length === 0) return false;
  return !enabled.some((agent) => firing(agent, event));
}

function deafFinding(name: string, event: string, enabled: readonly string[]): Finding {
  const able = isEventName(event) ? agentsFiring(event) : [];
  return {
    level: "warning",
    code: "extension-deaf",
    text: `${name} listens for ${event}, which none of your agents fires (${enabled.join(", ")}).`,
    next: `Fired by: ${able.join(", ")}.`,
  };
}
