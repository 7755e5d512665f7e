import { createHash } from "node:crypto";
import type { Refusal } from "../../dispatch/index.ts";
import { type CrewEventName, declarationOf, type EventMap } from "../../events/index.ts";
import type { SessionOwner } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { askExtensions } from "./ask-extensions.ts";

/** Any event of a crew. */
export type CrewEvent = EventMap[CrewEventName];

/** Fires the events of crews at the extensions of the repository that a crew works in. */
export class CrewEvents {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Who says no, if somebody does. Those who only observe are told, and not waited for. */
  async fire(cwd: string, event: CrewEvent): Promise<Refusal | undefined> {
    const sessionId = createHash("sha256").update(cwd).digest("hex").slice(0, 16);
    const session = this.#sessions.find(CREW, { sessionId }, cwd);
    // Extensions are looked for anew where somebody can say no: what was just trusted has a say.
    session.wake(declarationOf(event.type).kind === "gate");
    const decision = await askExtensions(session, ROW, [{ ...event, agent: CREW.name, sessionId }]);
    this.#sessions.used(session);
    return decision.block ?? decision.cancel;
  }
}

const EVENTS: readonly CrewEventName[] = [
  "crew_run_start",
  "crew_run_end",
  "crew_task_start",
  "crew_task_end",
  "crew_message",
  "crew_merge",
  "crew_budget",
];
const ROW = { events: [...EVENTS], powers: ["block" as const, "cancel" as const] };

/** Whose the session of a repository is in which handlers hear of crews. */
const CREW: SessionOwner = {
  name: "crew",
  type: "Crew",
  hooks: { mapping: { crew: ROW } },
  transcript: {
    unit: "line",
    read: async () => Buffer.alloc(0),
    recognise: () => false,
    chunk: (content) => [content],
    reassemble: (chunks) => Buffer.concat(chunks),
  },
};
