export { STUCK_ENTRY } from "./session-note.ts";
export { keepStuckNotes, type StuckNote, stuckNotes } from "./stuck-notes.ts";
export { describeSuspects } from "./suspects.ts";
export { NO_WATCH, type Watch, type WatchdogOptions, watchOver } from "./watchdog.ts";
