import { type Trouble, troubleIn } from "../../agents/index.ts";
import type { AttemptEnd } from "../model/run.ts";
import type { Progress } from "./progress.ts";
import { checkResult, resultIn } from "./typed-result.ts";

/** What is known of an attempt whose process is gone. */
export interface Remains {
  readonly progress: Progress;
  /** As the program's exit said; undefined: it was killed together with what keeps its exit code. */
  readonly exitCode: number | undefined;
  /** The end of what it printed as errors. */
  readonly stderr: string;
  /** Why Seam ended it. */
  readonly ended: AttemptEnd | undefined;
  /** What it handed over with crew_result. */
  readonly handed: { readonly value: unknown } | undefined;
  readonly schema: object | undefined;
  readonly troubles: readonly Trouble[];
  readonly now: number;
}

/** How an attempt ended. An exit code of 0 is no success: what the agent said counts. */
export function endOf(remains: Remains): AttemptEnd {
  const { progress, exitCode, ended } = remains;
  const { done, failed, limited } = progress;
  if (ended) return ended;
  if (done && failed === undefined && exitCode === 0) return finished(remains, done.text ?? "");
  if (limited)
    return limited.until === undefined ? { kind: "limited", reason: limited.reason } : limited;
  const reason = failed ?? whyNot(remains);
  const said = [reason, remains.stderr, progress.text, ...progress.plain].join("\n");
  const trouble = troubleIn(said, remains.troubles, remains.now);
  if (trouble?.kind === "logged-out") return { kind: "logged-out", reason };
  if (trouble) {
    return {
      kind: "limited",
      reason,
      ...(trouble.until !== undefined && { until: trouble.until }),
    };
  }
  return { kind: "failed", reason };
}

/** What is wrong with the result of an attempt that is done; undefined where that is not the trouble. */
export function resultProblem({
  progress,
  handed,
  schema,
  ended,
  exitCode,
}: Remains): string | undefined {
  const { done, failed } = progress;
  if (!schema || handed || ended || !done || failed !== undefined || exitCode !== 0)
    return undefined;
  const text = done.text || progress.text;
  const typed =
    done.result === undefined ? resultIn(text, schema) : checkResult(done.result, schema);
  return "problem" in typed ? typed.problem : undefined;
}

function finished({ progress, handed, schema, ...rest }: Remains, answer: string): AttemptEnd {
  const text = answer || progress.text;
  if (handed) return { kind: "finished", text, result: handed.value };
  if (schema) {
    const own = progress.done?.result;
    const typed = own === undefined ? resultIn(text, schema) : checkResult(own, schema);
    if ("value" in typed) return { kind: "finished", text, result: typed.value };
    const trouble = troubleIn(text, rest.troubles, rest.now);
    if (trouble) return { ...trouble, reason: text };
    return { kind: "failed", reason: `Its result cannot be used: ${typed.problem}` };
  }
  if (text.trim() !== "") return { kind: "finished", text };
  const { stderr } = rest;
  const trouble = troubleIn(stderr, rest.troubles, rest.now);
  if (trouble) return { ...trouble, reason: stderr.trim() };
  return { kind: "failed", reason: "It ended without an answer." };
}

function whyNot({ progress, exitCode, stderr }: Remains): string {
  const last = (stderr.trim() || progress.plain.join("\n").trim()).slice(-2_000);
  const how =
    exitCode === undefined
      ? "It was killed."
      : `It ended with exit code ${exitCode} and did not say that it was done.`;
  return last === "" ? how : `${how} The last it printed: ${last}`;
}
