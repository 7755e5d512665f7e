/**
 * What agents run as Seam's MCP server, and `seam mcp` too. Every session of every agent starts one
 * and waits for it, so it is built by itself, out of nothing but what it needs.
 */
import { daemonPaths } from "../../daemon/index.ts";
import { handedOver } from "./handed-over.ts";
import { runPipe } from "./run-pipe.ts";

const { stdin, stdout, env } = process;
// The file that starts this kept them from Node, which would read them now and not need them.
if (env.SEAM_EXTRA_CA_CERTS) env.NODE_EXTRA_CA_CERTS = env.SEAM_EXTRA_CA_CERTS;
delete env.SEAM_EXTRA_CA_CERTS;
const handed = handedOver(env);
const options = { paths: daemonPaths(), stdin, stdout, cwd: process.cwd() };
void runPipe({ ...options, ...(handed && { handed }) }).then(() => {
  // A daemon that is being started at this moment needs nobody to wait for it.
  process.exit(0);
});
