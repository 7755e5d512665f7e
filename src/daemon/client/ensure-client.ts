import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.ts";
import { packageRoot } from "../../settings/index.ts";
import { type DaemonPlace, daemonPlace, preparePlace } from "../place.ts";
import { ownToken } from "../token.ts";
import { writeCurlOptions } from "./curl-options.ts";

/** Where the client's files lie in the package, and what they are called in the user's folder. */
const FILES = [
  { from: "hook.sh", to: "hook", mode: 0o700 },
  { from: "ring.pl", to: "ring.pl", mode: 0o600 },
  { from: "hook.cjs", to: "hook.cjs", mode: 0o600 },
] as const;

const PERL_PLACES = ["/usr/bin/perl", "/usr/local/bin/perl", "/opt/homebrew/bin/perl"];

export interface EnsuredClient {
  /** What agents run. */
  readonly hook: string;
  /** False if it was there already, just like this. */
  readonly written: boolean;
}

/**
 * Writes the hook client into the user's Seam folder, or brings it up to date: what agents run
 * for a hook must not depend on where Node or Seam are on the PATH.
 */
export function ensureClient(home?: string, seam = ownEntry()): EnsuredClient {
  const place = daemonPlace(home);
  preparePlace(place);
  writeCurlOptions(place, ownToken(place));
  let written = false;
  for (const { from, to, mode } of FILES) {
    const template = readFileSync(join(packageRoot(), "dist/daemon/client", from), "utf8");
    const text = filledIn(template, seam);
    const path = join(place.bin, to);
    if (isAlready(path, text)) continue;
    replaceFile(path, text, { mode });
    written = true;
  }
  return { hook: place.hook, written };
}

/** Brings the client up to date if this user has one: it may come from an older Seam. */
export function refreshClient(place: DaemonPlace): void {
  if (existsSync(place.hook)) ensureClient(place.home, process.argv[1]);
}

function ownEntry(): string {
  return join(packageRoot(), "dist/bin/seam.js");
}

function isAlready(path: string, text: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

function filledIn(text: string, seam: string): string {
  const values: Record<string, () => string> = {
    NODE: () => quoted(process.execPath),
    SEAM: () => quoted(seam),
    PERL: () => quoted(usablePerl() ?? ""),
    CR: () => "\r",
  };
  return text.replace(/@([A-Z]+)@/g, (whole, name: string) => values[name]?.() ?? whole);
}

/** For a shell: taken as it is, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A perl that can open a socket the way the client does. */
function usablePerl(): string | undefined {
  const script = "socket(my $s, 1, 1, 0) or exit 1; print 'ok'";
  return PERL_PLACES.filter((path) => existsSync(path)).find((path) => {
    const env = { PATH: process.env.PATH, PERL_BADLANG: "0" };
    const { status, stdout, stderr } = spawnSync(path, ["-e", script], { encoding: "utf8", env });
    return status === 0 && stdout === "ok" && stderr === "";
  });
}
