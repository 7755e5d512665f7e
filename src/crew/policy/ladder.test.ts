import { describe, expect, it } from "vitest";
import { role, task } from "../graph/test-kit/workflows.ts";
import type { Attempt, AttemptEnd } from "../model/run.ts";
import type { AgentChoice } from "../model/workflow.ts";
import { choicesFor, nextRung } from "./ladder.ts";

const now = new Date("2026-11-17T12:00:00Z");
const claude: AgentChoice = { agent: "claude-code" };
const codex: AgentChoice = { agent: "codex", model: "gpt-5" };

const attempt = (end: AttemptEnd, rest: Partial<Attempt> = {}): Attempt => ({
  run: "r",
  task: "t",
  number: 1,
  agent: "claude-code",
  worker: "w",
  session: "s",
  folder: "/f",
  granted: {},
  setAside: {},
  use: { tokens: 0, minutes: 0, turns: 0 },
  startedAt: now.toISOString(),
  end,
  ...rest,
});

const failed: AttemptEnd = { kind: "failed", reason: "tests are red" };
const limited = (until?: string): AttemptEnd => ({
  kind: "limited",
  reason: "5-hour limit",
  ...(until !== undefined && { until }),
});

function rung(attempts: readonly Attempt[], choices: readonly AgentChoice[] = [claude, codex]) {
  const end = attempts.at(-1)?.end ?? failed;
  return nextRung({ attempts, end, choices, now });
}

describe("the ladder of retries", () => {
  it("goes from the same session over a new one and another agent to a person", () => {
    const attempts: Attempt[] = [];
    const kinds: string[] = [];
    for (let tries = 0; tries < 9; tries++) {
      const last = rung(attempts);
      kinds.push("choice" in last ? `${last.kind} ${last.choice.agent}` : last.kind);
      if (!("choice" in last)) break;
      attempts.push(attempt(failed, { ...last.choice, number: tries + 1 }));
    }
    expect(kinds).toEqual([
      "fresh claude-code",
      "resume claude-code",
      "resume claude-code",
      "fresh claude-code",
      "other codex",
      "person",
    ]);
  });

  it("begins anew with work that was good and did not fit what others did", () => {
    const attempts = [1, 2, 3].map((number) => attempt(failed, { number }));
    const next = (since?: number) =>
      nextRung({ attempts, end: failed, choices: [claude], now, ...(since && { since }) });
    expect(next()).toMatchObject({ kind: "fresh" });
    expect(next(3)).toMatchObject({ kind: "resume" });
  });

  it("tells the next one what went wrong", () => {
    expect(rung([attempt(failed)])).toMatchObject({
      extra: expect.stringContaining("tests are red"),
    });
  });

  it("begins a new session where there is none to go on with", () => {
    const { session: _, ...without } = attempt(failed);
    expect(rung([without])).toMatchObject({ kind: "fresh", choice: claude });
  });

  it("a limit is no failure: another agent takes over", () => {
    expect(rung([attempt(limited("2026-11-17T15:00:00Z"))])).toMatchObject({
      kind: "other",
      choice: codex,
    });
  });

  it("a limit without another agent is a pause until it ends", () => {
    expect(rung([attempt(limited("2026-11-17T15:00:00Z"))], [claude])).toEqual({
      kind: "wait",
      until: "2026-11-17T15:00:00.000Z",
      reason: "5-hour limit",
    });
  });

  it("all at their limits: the pause ends with the first of them", () => {
    const attempts = [
      attempt(limited("2026-11-17T15:00:00Z")),
      attempt(limited("2026-11-17T13:00:00Z"), codex),
    ];
    expect(rung(attempts)).toMatchObject({ kind: "wait", until: "2026-11-17T13:00:00.000Z" });
  });

  it("a limit that does not say when it ends is looked at again after half an hour", () => {
    expect(rung([attempt(limited())], [claude])).toMatchObject({
      until: "2026-11-17T12:30:00.000Z",
    });
  });

  it("a limit of one model leaves another of the same agent", () => {
    const opus = { agent: "claude-code" as const, model: "opus" };
    const sonnet = { agent: "claude-code" as const, model: "sonnet" };
    const last = rung(
      [attempt(limited("2026-11-17T15:00:00Z"), { model: "opus" })],
      [opus, sonnet],
    );
    expect(last).toMatchObject({ kind: "other", choice: sonnet });
  });

  it("limits do not count as tries", () => {
    const before = Array.from({ length: 9 }, () => attempt(limited("2026-11-17T11:00:00Z")));
    expect(rung([...before, attempt(failed)])).toMatchObject({ kind: "resume" });
  });

  it.each(["logged-out", "unavailable", "ungated"] as const)(
    "%s is a question if nobody else can do it",
    (kind) => {
      const end = { kind, reason: "401" };
      expect(rung([attempt(end)])).toMatchObject({ kind: "other", choice: codex });
      expect(rung([attempt(end)], [claude])).toMatchObject({
        kind: "person",
        question: expect.stringMatching(/401\. .*answer to try again\.$/),
        why: expect.stringMatching(/401\.$/),
      });
    },
  );

  it("a budget that is used up is a question, never another try", () => {
    expect(
      rung([attempt({ kind: "over-budget", reason: "$2.00 of $2.00 are used" })]),
    ).toMatchObject({
      kind: "person",
    });
  });

  it("being ended from outside goes on where it stopped, but not for ever", () => {
    const ended: AttemptEnd = { kind: "ended", reason: "killed" };
    expect(rung([attempt(ended)])).toMatchObject({ kind: "resume" });
    // Who begins anew, as on another machine, has not been interrupted itself.
    const { session: _, ...elsewhere } = attempt(ended);
    const extra = expect.stringContaining("Another session began this");
    expect(rung([elsewhere])).toMatchObject({ kind: "fresh", extra });
    expect(rung(Array.from({ length: 21 }, () => attempt(ended)))).toMatchObject({
      kind: "person",
    });
  });

  it("without an agent for a task it is a question", () => {
    expect(nextRung({ attempts: [], end: failed, choices: [], now })).toMatchObject({
      kind: "person",
    });
  });

  it("a task's own agents come before those of its role, and those before the run's", () => {
    const worker = { ...role("worker"), agents: [codex] };
    expect(choicesFor(task("t", { agents: [claude] }), worker, [])).toEqual([claude]);
    expect(choicesFor(task("t"), worker, [claude])).toEqual([codex]);
    expect(choicesFor(task("t"), role("worker"), [claude])).toEqual([claude]);
  });
});
