import { loadUserSettings } from "../settings/index.ts";
import { createRecorder, type GitRecorder } from "./create-recorder.ts";
import type { Log } from "./recording-context.ts";
import { secretRemover } from "./secret-remover.ts";
import { isRecorded } from "./start-and-stop.ts";

/** The recorder as the user's settings want it. */
export function openRecorder({ version, log }: { version: string; log: Log }): GitRecorder {
  const redactor = (folder: string) => secretRemover(log, folder);
  const keepDays = () => loadUserSettings().keepDays;
  return createRecorder({ version, log, redactor, isRecorded, keepDays });
}
