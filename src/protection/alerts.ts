import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../files/index.ts";

/** Something that a person should know: Seam's files were changed, or a hook was not heard. */
export interface Alert {
  /** ISO. */
  readonly at: string;
  readonly text: string;
}

const KEPT_MS = 7 * 24 * 3_600_000;
const MOST = 50;

const alertsFile = (store: string) => join(store, "run", "alerts");

export function addAlert(store: string, text: string, at = new Date()): void {
  const file = alertsFile(store);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const alert: Alert = { at: at.toISOString(), text };
  appendFileSync(file, `${JSON.stringify(alert)}\n`, { mode: 0o600 });
}

/** Those of the last week, the newest last; the same text once. */
export function alerts(store: string, now = Date.now()): Alert[] {
  const found = new Map<string, Alert>();
  for (const line of (readText(alertsFile(store)) ?? "").split("\n")) {
    const alert = parse(line);
    if (!alert || now - Date.parse(alert.at) > KEPT_MS) continue;
    found.delete(alert.text);
    found.set(alert.text, alert);
  }
  return [...found.values()].slice(-MOST);
}

/** The user has seen them. */
export function clearAlerts(store: string): void {
  rmSync(alertsFile(store), { force: true });
}

function parse(line: string): Alert | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const { at, text } = value as Partial<Record<keyof Alert, unknown>>;
    return typeof at === "string" && typeof text === "string" ? { at, text } : undefined;
  } catch {
    return undefined;
  }
}
