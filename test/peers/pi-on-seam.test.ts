/** Pi's unchanged examples on Seam's own agent; what comes out is docs/pi-compatibility.md. */
import { requirePeers } from "./pi.ts";

requirePeers();
await import("./host/group-a-tools.ts");
await import("./host/group-a-session.ts");
await import("./host/group-b.ts");
await import("./host/plan-mode.ts");
