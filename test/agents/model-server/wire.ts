import type { Turn } from "./script.ts";

/** One message of the conversation as the model got it, whatever the API. */
export interface Heard {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** Of a tool result: the call it answers. */
  readonly callId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
}

export interface Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly heard: readonly Heard[];
  /** Names of the tools the model may call; free-form and namespaced ones too. */
  readonly tools: readonly string[];
}

export interface ServerEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** One provider's API: which requests are its, what they say, how an answer is written. */
export interface Wire {
  readonly api: "anthropic" | "chat" | "responses" | "gemini";
  /** `path` has no query and no conversation in it. */
  matches(path: string): boolean;
  read(path: string, body: unknown): Asked;
  answer(turn: Turn, asked: Asked): unknown;
  events(turn: Turn, asked: Asked): readonly ServerEvent[];
  failure(status: number, message: string): unknown;
}
