import type { ExtensionUIContext, OAuthLoginCallbacks } from "../extensions/index.ts";

/** What a login asks and shows, as dialogs. What it asks is dismissed when the signal fires. */
export function dialogCallbacks(
  ui: ExtensionUIContext,
  signal: AbortSignal,
): Required<OAuthLoginCallbacks> {
  const answered = (answer: string | undefined): string | Promise<never> => {
    if (answer !== undefined) return answer;
    // The login is over: nobody waits for this, and a rejection would be nobody's to catch.
    if (signal.aborted) return new Promise(() => {});
    throw new Error("it was cancelled");
  };
  return {
    signal,
    onAuth: ({ url, instructions }) => {
      ui.notify(["Open this address to log in:", url, instructions ?? ""].join("\n").trimEnd());
    },
    onPrompt: async ({ message, placeholder, allowEmpty = false }) => {
      const answer = await answered(await ui.input(message, placeholder, { signal }));
      if (answer === "" && !allowEmpty) throw new Error("nothing was entered");
      return answer;
    },
    onManualCodeInput: async () =>
      answered(
        await ui.input("Finish in the browser, or paste the address it ends at:", undefined, {
          signal,
        }),
      ),
    onSelect: async ({ message, options }) => {
      const labels = options.map(({ label }) => label);
      const chosen = await ui.select(message, labels, { signal });
      return options.find(({ label }) => label === chosen)?.id;
    },
    onProgress: (message) => ui.notify(message),
  };
}
