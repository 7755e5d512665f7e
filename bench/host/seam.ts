import { fileURLToPath } from "node:url";
import { DIST, requireBuild } from "../built.ts";

// Typed by the sources: this file must also pass the type check where nothing is built.
type HostRoom = typeof import("../../src/host/index.ts");
type ToolsRoom = typeof import("../../src/tools/index.ts");

export const SEAM_HOST = new URL("host/index.js", DIST).href;
export const SEAM_COMMAND = fileURLToPath(new URL("bin/seam.js", DIST));

await requireBuild();
export const host: HostRoom = await import(SEAM_HOST);
export const tools: ToolsRoom = await import(new URL("tools/index.js", DIST).href);
