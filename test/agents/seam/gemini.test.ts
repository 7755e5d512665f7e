import { seamOn } from "./test-kit/on-agent.ts";

// It refuses to write .env before it asks any hook.
seamOn("gemini", { level: "project", secretFile: "server.key" });
