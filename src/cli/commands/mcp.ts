import type { Command } from "commander";
import { builtFile } from "../../settings/index.ts";

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .addHelpText(
      "after",
      `
Agents run this, you do not have to: it speaks the Model Context Protocol on
stdin and stdout. The tools that your extensions register become tools of the
agent, their commands become prompts and the tool seam_command. The tools show
and search tell what agents did.

For a client that seam enable does not know, this is what most of them want:
  {
    "mcpServers": {
      "seam": { "command": "seam", "args": ["mcp"] }
    }
  }

Examples:
  seam enable --mcp                write it into the settings of your agents
  seam disable                     take it out again`,
    )
    .action(pipe);
}

/** Passes on what an agent and the daemon say to each other, until the agent ends. */
async function pipe(): Promise<void> {
  await import(builtFile("bin/mcp-pipe.js"));
}
