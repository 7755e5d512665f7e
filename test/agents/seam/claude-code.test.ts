import { compactionIsCancelled, compacts, failedModel, typedSkill } from "./test-kit/more.ts";
import { seamOn } from "./test-kit/on-agent.ts";

const compact = { prompt: "/compact", script: { turns: [], side: "A summary." } };

seamOn("claude-code", {
  level: "project",
  more(on) {
    compactionIsCancelled(on, compact, (transcript) => transcript.includes("compact_boundary"));
    compacts(on, compact);
    typedSkill(on);
    failedModel(on);
  },
});
