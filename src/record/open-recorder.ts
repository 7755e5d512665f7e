import { loadSettings } from "../settings/index.ts";
import { createRecorder, type GitRecorder } from "./create-recorder.ts";
import type { Log, SecretRemover } from "./keeper.ts";
import { createRedactor, type Redactor } from "./redact/index.ts";

/** The recorder as the user's settings want it. */
export function openRecorder({ version, log }: { version: string; log: Log }): GitRecorder {
  return createRecorder({ version, log, redactor: secretRemover(log) });
}

/** Made when there is something to remove: its rules take time to load. */
export function secretRemover(log: Log): SecretRemover {
  let made: Redactor | undefined;
  const redactor = () => {
    if (made) return made;
    const { redaction } = loadSettings(process.cwd()).settings;
    made = createRedactor({ ...redaction, env: process.env });
    for (const problem of made.problems) log("warn", problem.message);
    return made;
  };
  return {
    redact: (lines) => redactor().redact(lines),
    text: (text) => redactor().text(text),
    document: async (content) => {
      const { bytes, report } = await redactor().redactJson(content);
      return { bytes, redactions: report };
    },
  };
}
