import { seamOn } from "./test-kit/on-agent.ts";

seamOn("factoryai-droid", { level: "user", childSessions: true });
