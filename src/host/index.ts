export { SessionTree } from "./session/session-tree.ts";
