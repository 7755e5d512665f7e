import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { describeEngine } from "./test-kit/engine-behaviour.ts";

describe("the engine on SQLite", () => {
  describeEngine({ make: async () => join(mkdtempSync(join(tmpdir(), "engine-")), "crew.db") });
});
