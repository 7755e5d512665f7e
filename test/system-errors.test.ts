import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sessions } from "../src/agents/aider/sessions.ts";
import { readBytes } from "../src/agents/install/config-file.ts";
import { withInstallLock } from "../src/agents/install/install-lock.ts";
import { messageOf } from "../src/errors/index.ts";
import { writeError } from "../src/git/run/write-error.ts";

/** What goes wrong where a file is in the place of a folder, or the other way round. */
const FAULTS: Readonly<Record<string, (file: string, folder: string) => unknown>> = {
  "the lock of what is installed": (file) => withInstallLock(file, () => {}),
  "the configuration of an agent": (file) => readBytes(join(file, "settings.json")),
  "an object of git": (file) => {
    try {
      mkdirSync(join(file, "objects"));
    } catch (error) {
      throw writeError(file, error);
    }
  },
  "a session that is handed to aider": (_, folder) => {
    mkdirSync(join(folder, ".aider.chat.history.md"));
    const content = Buffer.from("# aider chat started at 2026-05-25 12:00:00\n\n#### Hello\n");
    return sessions.write(
      { project: folder, home: folder, env: {} },
      { sessionId: "aider-20260525120000", content, agent: "aider", project: folder, ref: "" },
    );
  },
};

it.each(Object.entries(FAULTS))("what the system says of %s is put into words", async (_, fail) => {
  const folder = mkdtempSync(join(tmpdir(), "seam-errors-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "file");
  writeFileSync(file, "");
  const thrown = await Promise.resolve()
    .then(() => fail(file, folder))
    .catch((error: unknown) => error);
  expect(messageOf(thrown)).toMatch(/a part of the path is a file|it is a folder/);
  expect(messageOf(thrown)).not.toMatch(/\bE[A-Z]{4,}/);
});
