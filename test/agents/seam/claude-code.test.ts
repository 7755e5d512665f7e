import {
  compactionIsCancelled,
  compacts,
  compactsByHand,
  failedModel,
  typedSkill,
} from "./test-kit/more.ts";
import { seamOn } from "./test-kit/on-agent.ts";

const byHand = { prompt: "/compact", script: { turns: [], side: "A summary." } };
/** Its window is full after the first call. */
const byItself = {
  prompt: "please go on",
  env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
  script: {
    turns: [
      { toolCalls: [{ do: "shell" as const, command: "echo much" }], usage: { input: 98_000 } },
      { text: "Done." },
    ],
    side: "A summary.",
  },
};

seamOn("claude-code", {
  level: "project",
  more(on) {
    compactionIsCancelled(on, byItself, (transcript) => transcript.includes("compact_boundary"));
    compacts(on, byItself);
    compactsByHand(on, byHand);
    typedSkill(on);
    failedModel(on);
  },
});
