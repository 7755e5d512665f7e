/** The scopes under which Pi and its relatives are published. */
export const SCOPES = ["@earendil-works", "@mariozechner", "@oh-my-pi"];

/** The packages of a scope that Seam stands in for. */
const OF_SCOPE = ["pi-coding-agent", "pi-tui", "pi-ai", "pi-agent-core"];

const PROVIDED: ReadonlySet<string> = new Set([
  "agentseam",
  "typebox",
  "@sinclair/typebox",
  ...SCOPES.flatMap((scope) => OF_SCOPE.map((name) => `${scope}/${name}`)),
]);

/** Whether Seam provides a package itself: what is installed under its name is never loaded. */
export function isProvided(packageName: string): boolean {
  return PROVIDED.has(packageName);
}
