import { seamOn } from "./test-kit/on-agent.ts";

seamOn("copilot-cli", { level: "project" });
