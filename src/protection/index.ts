export { PROTECTION, type Protect, Protection } from "./protection.ts";
export type { Call } from "./written-paths.ts";
