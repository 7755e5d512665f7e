import type { DaemonPaths } from "../../daemon/index.ts";
import { isAsciiLocale, ProcessTerminal, type SelectItem } from "../../terminal/index.ts";
import { Attach } from "./attach.ts";

interface Wish {
  readonly paths: DaemonPaths;
  readonly offers?: readonly SelectItem[];
  /** The beginning of the id of the session to open at once. */
  readonly session?: string;
  readonly typeOf: (agent: string) => string;
}

/** Shows the live sessions on this terminal until the user leaves, or chooses one of the offers. */
export async function attach({
  paths,
  offers = [],
  session,
  typeOf,
}: Wish): Promise<string | undefined> {
  const terminal = new ProcessTerminal({
    ascii: isAsciiLocale(process.env),
    onClosed: () => screen.leave(),
  });
  const screen = new Attach({ terminal, paths, offers, typeOf });
  const leave = () => screen.leave();
  process.once("SIGTERM", leave);
  process.once("SIGHUP", leave);
  try {
    return await screen.run(session);
  } finally {
    process.off("SIGTERM", leave);
    process.off("SIGHUP", leave);
  }
}
