import type { EventGroup } from "../../src/events/index.ts";

/** What the groups of events are called on pages and in the contract. */
export const GROUPS: Record<EventGroup, string> = {
  session: "The session",
  user: "The user",
  run: "Turns and rounds",
  message: "Messages",
  provider: "Models and providers",
  tool: "Tools",
  notice: "Notices",
  crew: "Crews",
};
