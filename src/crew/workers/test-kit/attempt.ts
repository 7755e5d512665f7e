import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AttemptEnd } from "../../model/run.ts";
import { attemptFiles } from "../attempt-files.ts";
import type { AttemptSpec } from "../attempt-spec.ts";
import type { AttemptEvent } from "../process-watch.ts";
import { startAttempt } from "../start-attempt.ts";
import { watchAttempt } from "../watch-attempt.ts";

/** An attempt in a folder of its own: a workspace, a home, nothing of the machine's. */
export function newSpec(more: Partial<AttemptSpec> = {}): AttemptSpec {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "attempt-")));
  const cwd = join(root, "slots", "1");
  mkdirSync(cwd, { recursive: true });
  return {
    id: `run.task.${root.slice(-6)}`,
    agent: "seam",
    prompt: "go",
    instructions: "You are one of several.",
    cwd,
    env: { HOME: root },
    access: "write",
    allowCommands: [],
    mayPush: false,
    budget: {},
    stallMinutes: 5,
    folder: join(root, "attempt"),
    home: join(root, "seam"),
    ...more,
  };
}

/** Seam's own agent with a scripted model. */
export function scripted(turns: unknown, more: Partial<AttemptSpec> = {}): AttemptSpec {
  const spec = newSpec(more);
  const script = scriptOf(spec);
  writeFileSync(script, JSON.stringify(turns));
  return { ...spec, model: `scripted:${script}` };
}

/** Where the turns of its model stand. */
export const scriptOf = ({ home }: Pick<AttemptSpec, "home">) => join(dirname(home), "turns.json");

/** A program in the place of Claude Code that does whatever is wanted of a bad one. */
export function impostor(script: string, more: Partial<AttemptSpec> = {}): AttemptSpec {
  const spec = newSpec({ agent: "claude-code", ...more });
  const bin = join(spec.cwd, "..", "..", "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "claude"), 0o755);
  return { ...spec, env: { ...spec.env, PATH: `${bin}:${process.env.PATH}` } };
}

export const SAYS_INIT = `echo '{"type":"system","subtype":"init","session_id":"s1"}'`;
export const SAYS_DONE = `echo '{"type":"result","subtype":"success","is_error":false,"result":"All done."}'`;

/** What a hook would have noted. */
export const HEARD = `"$SEAM_TEST_FOLDER/heard.jsonl"`;

export async function run(
  spec: AttemptSpec,
  hear: (event: AttemptEvent) => void = () => {},
  signal?: AbortSignal,
) {
  const events: AttemptEvent[] = [];
  await startAttempt({ ...spec, env: { ...spec.env, SEAM_TEST_FOLDER: spec.folder } });
  const onEvent = (event: AttemptEvent) => {
    events.push(event);
    hear(event);
  };
  const end = await watch(spec, onEvent, signal);
  return { end, events, files: attemptFiles(spec.folder) };
}

export function watch(
  spec: AttemptSpec,
  onEvent: (event: AttemptEvent) => void = () => {},
  signal = new AbortController().signal,
): Promise<AttemptEnd> {
  return watchAttempt(spec, { signal, onEvent });
}
