import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { compacts } from "./test-kit/more.ts";
import { seamOn } from "./test-kit/on-agent.ts";

const through = fileURLToPath(new URL("../drive/pi-rpc.mjs", import.meta.url));
const compact = JSON.stringify({ type: "compact" });
const newSession = JSON.stringify({ type: "new_session" });

seamOn("pi", {
  level: "project",
  through,
  more(on) {
    const { agent, stage, proofs, test } = on;
    test("lets an extension stop a compaction and a change of session", async () => {
      stage.use("cancel");
      const script = [{ text: "Fine." }];
      const extraArgs = [compact, newSession];
      const run = await stage.launch({ agent, through, prompt: "please go", script, extraArgs });
      stage.drop("cancel");
      expect(run.stdout).toContain("Compaction cancelled");
      expect(run.stdout).toContain('"cancelled":true');
      proofs.proved("cancel");
    });
    compacts(on, {
      through,
      prompt: "please go on",
      script: { turns: [{ text: "Fine." }], side: "A summary." },
      extraArgs: [compact],
    });
  },
});
