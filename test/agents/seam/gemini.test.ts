import { seamOn } from "./test-kit/on-agent.ts";

// It refuses to write .env before it asks any hook.
const secretFile = "server.key";
// As its users have it: started by itself, a second time.
const env = { GEMINI_CLI_NO_RELAUNCH: undefined };

seamOn("gemini", { level: "project", secretFile, env });
