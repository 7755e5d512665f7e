import type { EmbeddedAgent } from "../../host/index.ts";

/** Extensions are told when the program is ended from outside; an interrupted run is saved. */
export function endOnSignals(agent: EmbeddedAgent): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const listeners = Object.entries(codes).map(([signal, code]) => {
    const end = () => void agent.dispose().finally(() => process.exit(code));
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}
