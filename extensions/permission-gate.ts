import type { ExtensionAPI } from "agentseam";

/** Commands that are hard to take back. Each looks no further than the end of its own command. */
const DANGEROUS = [
  { pattern: /\brm\s+([^;&|]*\s)?(-[a-z]*r|--recursive)/i, what: "deletes whole folders" },
  { pattern: /\bsudo\b/, what: "runs as root" },
  {
    pattern: /\bgit\s+push\b[^;&|]*(--force\b|--mirror\b|\s-[a-z]*f\b|\s\+\S)/,
    what: "rewrites the remote branch",
  },
  { pattern: /\bgit\s+(reset\s+--hard|clean\s+-[a-z]*f)/, what: "throws away local work" },
  { pattern: /\b(chmod|chown)\b[^;&|]*\b777\b/, what: "opens files to everyone" },
  { pattern: /\bmkfs\b|\bdd\b[^;&|]*\bof=\/dev\//, what: "writes over a disk" },
];

/**
 * Asks before a dangerous command runs. With nobody to ask, it is blocked, and the model is told
 * why. It reads the text of a command and no more: a seat belt, not a sandbox.
 *
 * Shows: the gate `tool_call`, `ctx.hasUI`, `ctx.ui.select`.
 *
 * @example
 * seam run -e extensions/permission-gate.ts -p "Clean up the build folder"
 */
export default function permissionGate(pi: ExtensionAPI) {
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash") return;
    const command = String(event.input.command ?? "");
    const danger = DANGEROUS.find(({ pattern }) => pattern.test(command));
    if (!danger) return;
    if (!ctx.hasUI) return { block: true, reason: `"${command}" ${danger.what}. Ask the user.` };

    const choice = await ctx.ui.select(`This ${danger.what}:\n\n  ${command}\n\nRun it?`, [
      "Yes",
      "No",
    ]);
    if (choice !== "Yes") return { block: true, reason: "The user said no." };
  });
}
