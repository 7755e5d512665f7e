import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { list, parse, record, text } from "../model-server/json.ts";
import type { Place } from "./agent.ts";

const DEFAULT_TIMEOUT = 600;
const SHORT_TIMEOUT = 3;
const SHORT_EVENTS: ReadonlySet<string> = new Set(["session_end", "interrupt"]);

/**
 * Does for a file of hooks what the user does with "Trust all and continue". Returns how many hooks
 * that were. `file` is an absolute path.
 */
export function trustCodexHooks({ home }: Place, file: string): number {
  const entries = hooksIn(file).map(
    ({ key, hash }) => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`,
  );
  appendFileSync(join(home, ".codex/config.toml"), entries.join(""));
  return entries.length;
}

function hooksIn(file: string): { key: string; hash: string }[] {
  const events = Object.entries(record(record(parse(readFileSync(file, "utf8"))).hooks));
  return events.flatMap(([event, groups]) => {
    const name = event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
    return list(groups).flatMap((group, groupIndex) =>
      list(record(group).hooks).map((hook, hookIndex) => ({
        key: `${file}:${name}:${groupIndex}:${hookIndex}`,
        hash: hashOf(name, record(group).matcher, record(hook)),
      })),
    );
  });
}

/** Codex hashes the hook as JSON with its keys in order and its defaults filled in. */
function hashOf(event: string, matcher: unknown, hook: Readonly<Record<string, unknown>>): string {
  const { async = false, command, statusMessage, timeout = DEFAULT_TIMEOUT } = hook;
  const seconds = SHORT_EVENTS.has(event) ? Math.min(Number(timeout), SHORT_TIMEOUT) : timeout;
  const trusted = {
    event_name: event,
    hooks: [
      {
        async,
        command: text(command),
        ...(statusMessage === undefined ? {} : { statusMessage }),
        timeout: seconds,
        type: "command",
      },
    ],
    ...(matcher === undefined ? {} : { matcher }),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(trusted)).digest("hex")}`;
}
