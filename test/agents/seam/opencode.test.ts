import { compacts } from "./test-kit/more.ts";
import { seamOn } from "./test-kit/on-agent.ts";

seamOn("opencode", {
  level: "user",
  more(on) {
    compacts(on, {
      prompt: "please go on",
      script: {
        turns: [
          { toolCalls: [{ do: "shell", command: "echo much" }], usage: { input: 127_900 } },
          { text: "Done." },
        ],
        side: "A summary.",
      },
    });
  },
});
