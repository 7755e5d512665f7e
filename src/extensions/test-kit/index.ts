/** What the tests of this room share. */
export { childProcesses } from "./child.ts";
export { type Files, tempDir, tempHome, write } from "./files.ts";
export { model, stubHost, stubUi, unused } from "./host.ts";
export { BYSTANDER, load, loadFrom, TOOL_CALL, TURN_START } from "./load.ts";
