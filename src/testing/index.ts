export type { SentMessage } from "./memory-host.ts";
export type { Answer, Question, UIRecord } from "./scripted-ui.ts";
export { createTestHost, type TestHost, type TestHostOptions } from "./test-host.ts";
