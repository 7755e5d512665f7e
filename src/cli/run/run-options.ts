import type { SessionChoice } from "./open-session.ts";

/** What can be said on the command line of `seam run`. */
export interface RunOptions extends SessionChoice {
  print?: string | true;
  mode: string;
  model?: string;
  thinking?: string;
  extension?: string[];
  extensions: boolean;
  without?: string[];
  tools?: string;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  help?: boolean;
}
