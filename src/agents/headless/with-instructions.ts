import type { HeadlessTask } from "./headless.ts";

/** The prompt for agents that have no flag for what they are told about their part. */
export function withInstructions({
  instructions,
  prompt,
}: Pick<HeadlessTask, "instructions" | "prompt">): string {
  return instructions === "" ? prompt : `${instructions}\n\n${prompt}`;
}
