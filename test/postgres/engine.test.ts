import { afterAll, beforeAll, describe } from "vitest";
import { describeEngine } from "../../src/crew/engine/test-kit/engine-behaviour.ts";
import { PostgresServer } from "./server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.remove());

describe("the engine on Postgres", () => {
  describeEngine({ make: () => server.database() });
});
