import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EventName } from "../../events/index.ts";
import { readSession, SessionFile } from "../session/index.ts";
import { newHosted } from "./host.ts";
import { returns } from "./returns.ts";
import { SCENARIOS } from "./scenarios.ts";
import { resultTexts, storedMessages, textOf, unansweredCalls } from "./texts.ts";

/** How a handler keeps the thread. */
export const HOLDS = {
  "at once": () => {
    while (true);
  },
  "in an async function": async () => {
    while (true);
  },
  "after an await": async () => {
    await Promise.resolve();
    while (true);
  },
};
export type Hold = keyof typeof HOLDS;

/** What is left after a handler of an event kept the thread. */
export interface Aftermath {
  readonly event: EventName;
  readonly hold: Hold;
  readonly failed?: string;
  readonly problems?: readonly string[];
  readonly extensions?: readonly string[];
  readonly results?: readonly string[];
  readonly unanswered?: readonly string[];
  readonly isIdle?: boolean;
  /** What the model said, in order. */
  readonly answers?: readonly string[];
  /** Whether the file of the session says what the session says. */
  readonly isSaved?: boolean;
}

export const LIMIT_MS = 150;

/** Plays the scenario of an event with a handler that keeps the thread, and goes on talking. */
export async function playStuck(event: EventName, hold: Hold): Promise<Aftermath> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-stuck-")));
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  process.env.SEAM_HOME = join(folder, "home");
  const { files = {}, options, act } = SCENARIOS[event];
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  const still = { text: "Still here", when: "Are you there" };
  const sessions = {
    create: (more = {}) => SessionFile.create({ cwd, dir: folder, ...more }),
    open: (file: string) => SessionFile.open(file, { cwd }).session,
  };
  try {
    const host = await returns(
      "createAgent",
      newHosted({
        cwd,
        ...options,
        turns: [...(options.turns ?? []), still],
        session: sessions.create(),
        sessions,
        stuckMs: LIMIT_MS,
        on: { [event]: HOLDS[hold] },
      }),
    );
    const { agent } = host;
    const problems: string[] = [];
    const note = () => {
      for (const { error, path } of agent.extensions.problems)
        problems.push(`${error.code} ${path} ${error.details.event}`);
    };
    // A session that takes the place of this one has problems of its own.
    agent.subscribe(({ type }) => type === "session_shutdown" && note());
    await returns("the scenario", act(host));
    await returns("abort", agent.abort());
    await returns("another prompt", agent.prompt("Are you there?"));
    note();
    const messages = storedMessages(agent);
    const file = agent.session.getSessionFile() ?? "";
    const aftermath: Aftermath = {
      event,
      hold,
      problems: [...new Set(problems)],
      extensions: agent.extensions.extensions.map(({ name }) => name),
      results: resultTexts(agent),
      unanswered: unansweredCalls(agent),
      isIdle: agent.isIdle,
      answers: messages.filter(({ role }) => role === "assistant").map(textOf),
      isSaved:
        JSON.stringify(readSession(file).session.getEntries()) ===
        JSON.stringify(agent.session.getEntries()),
    };
    await returns("dispose", agent.dispose());
    return aftermath;
  } catch (thrown) {
    return { event, hold, failed: String(thrown) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
