import type { OAuthLoginCallbacks } from "../../extensions/index.ts";
import type { Lines } from "../ask/lines.ts";

/** What a login asks and shows, on a terminal. */
export function terminalCallbacks(
  lines: Lines,
  say: (text: string) => void,
  over: AbortSignal,
): Required<OAuthLoginCallbacks> {
  const ask = async (question: string): Promise<string> => {
    const answer = await lines.ask(`${question} `, over);
    if (answer !== undefined) return answer.trim();
    // The login is over: nobody waits for this, and a rejection would be nobody's to catch.
    if (over.aborted) return new Promise(() => {});
    throw new Error("it was cancelled: there was no answer");
  };
  return {
    signal: over,
    onAuth: ({ url, instructions }) => {
      say("Open this address to log in:");
      say(`  ${url}`);
      if (instructions) say(instructions);
    },
    onPrompt: async ({ message, placeholder, allowEmpty = false }) => {
      const answer = await ask(placeholder ? `${message} (${placeholder})` : message);
      if (answer === "" && !allowEmpty) throw new Error("nothing was entered");
      return answer;
    },
    onManualCodeInput: () => ask("Finish in the browser, or paste the address it ends at:"),
    onSelect: async ({ message, options }) => {
      say(message);
      for (const [i, { label }] of options.entries()) say(`  ${i + 1} ${label}`);
      const answer = await ask("Number:");
      return options[Number(answer) - 1]?.id;
    },
    onProgress: say,
  };
}
