import { compacts } from "./test-kit/more.ts";
import { seamOn } from "./test-kit/on-agent.ts";

seamOn("codex", {
  level: "user",
  more(on) {
    compacts(on, {
      prompt: "please go on",
      extraArgs: ["-c", "model_auto_compact_token_limit=20000"],
      script: {
        turns: [
          { toolCalls: [{ do: "shell", command: "echo much" }], usage: { input: 50_000 } },
          { text: "Done." },
        ],
        side: "A summary.",
      },
    });
  },
});
