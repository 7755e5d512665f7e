/**
 * `agentseam/testing`: a host in memory that runs extensions without an agent, for tests of them.
 *
 * @example
 * import { createTestHost } from "agentseam/testing";
 *
 * const host = await createTestHost({ extensions: ["./no-rm.ts"] });
 * const decision = await host.toolCall("bash", { command: "rm -rf /" });
 * console.log(decision.blocked);
 * await host.dispose();
 */
export {
  type Answer,
  createTestHost,
  type Question,
  type SentMessage,
  type TestHost,
  type TestHostOptions,
  type UIRecord,
} from "../testing/index.ts";
