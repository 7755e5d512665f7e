import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Whose program is at the other end of a connection of this machine, where the system tells (Linux).
 * An address that `seam view` opens stands in the list of processes for a moment: this keeps other
 * users of the machine from using it.
 */
export function peerUser({ remotePort, localPort }: Socket): number | undefined {
  if (remotePort === undefined || localPort === undefined) return undefined;
  const [theirs, ours] = [remotePort, localPort].map(
    (port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of linesOf(file)) {
      // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid …
      const [, local = "", remote = "", , , , , uid] = line.trim().split(/\s+/);
      if (local.endsWith(theirs ?? "") && remote.endsWith(ours ?? "")) return Number(uid);
    }
  }
  return undefined;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
}
