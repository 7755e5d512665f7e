import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { AGENTS } from "../../../src/agents/index.ts";

/** Agents of whose hooks something is said to be seen on the real program. */
const real = AGENTS.filter(({ hooks }) =>
  Object.values(hooks?.mapping ?? {}).some(({ evidence }) =>
    Object.values(evidence ?? {}).includes("real"),
  ),
).map(({ name }) => name);

it("every agent that the coverage table calls proved is proved here, in a file of its own", () => {
  expect(real).toContain("claude-code");
  const missing = real.filter((name) => !existsSync(new URL(`${name}.test.ts`, import.meta.url)));
  expect(missing).toEqual([]);
});
