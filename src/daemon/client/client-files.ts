import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "../../settings/index.ts";
import { isRecord } from "../../values/index.ts";
import type { DaemonPaths } from "../daemon-paths.ts";
import { leadingPart } from "../user-environment.ts";
import { sourceDigest } from "./native-client.ts";

/** What the hook client consists of, when it was written: the files by name, and what is in them. */
export interface ClientList {
  /** What the compiled client was made from; it is compiled again when this has changed. */
  readonly source: string;
  /** Why the shell client is used. Undefined: the compiled one is. */
  readonly missing?: string;
  /** Digests by name. */
  readonly files: Readonly<Record<string, string>>;
}

export interface ClientFile {
  readonly name: string;
  readonly content: Buffer;
  readonly mode: number;
}

/** Files of the client are named from its folder. */
const SPARE = "../spare";
const LIST = "client.json";

export const listPath = ({ bin }: DaemonPaths) => join(bin, LIST);

/** The list once more, for when the folder of the client is gone. */
export const spareListPath = ({ bin }: DaemonPaths) => join(bin, SPARE, LIST);

export function digestOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Undefined if there is none that can be read. */
export function readList(paths: DaemonPaths): ClientList | undefined {
  return listAt(listPath(paths)) ?? listAt(spareListPath(paths));
}

function listAt(path: string): ClientList | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { source, missing, files } = value as Record<string, unknown>;
    if (typeof source !== "string" || typeof files !== "object" || files === null) return undefined;
    const digests = Object.entries(files).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return {
      source,
      ...(typeof missing === "string" && { missing }),
      files: Object.fromEntries(digests),
    };
  } catch {
    return undefined;
  }
}

/** Files of the client that are not what was written: changed by somebody, or gone. */
export function changedFiles(
  { bin }: DaemonPaths,
  { files }: Pick<ClientList, "files">,
): readonly string[] {
  return Object.entries(files).flatMap(([name, digest]) =>
    digestAt(join(bin, name)) === digest ? [] : [name],
  );
}

export function digestAt(path: string): string | undefined {
  try {
    return digestOf(readFileSync(path));
  } catch {
    return undefined;
  }
}

const ENVIRONMENT = "environment.json";
const SCRIPTS = [
  { name: "hook.sh", mode: 0o700 },
  { name: "ring.pl", mode: 0o600 },
  { name: "hook.cjs", mode: 0o600 },
] as const;

/** Everything but what agents run: that is the compiled client, or the first of these. */
export function scriptFiles(seam: string): readonly [ClientFile, ...ClientFile[]] {
  const [shell, ...others] = SCRIPTS.map(({ name, mode }): ClientFile => {
    const template = readFileSync(join(builtFile("client"), name), "utf8");
    return { name, mode, content: Buffer.from(filledIn(template, seam)) };
  });
  const program = Buffer.from(`${process.execPath}\n${seam}\n`);
  if (!shell) throw new Error("There is no shell client.");
  return [shell, ...others, { name: "program", mode: 0o600, content: program }];
}

/**
 * The same once more in another folder: where the client is gone, the command of a hook runs its spare. That
 * is always the shell client, which needs nothing but what lies beside it.
 */
export function spareFiles([shell, ...others]: ReturnType<typeof scriptFiles>): ClientFile[] {
  return [{ ...shell, name: "hook" }, ...others].map((file) => ({
    ...file,
    name: join(SPARE, file.name),
  }));
}

/** What the person who enabled Seam goes by. Written only by their own commands. */
export function environmentFile(environment: NodeJS.ProcessEnv): ClientFile {
  const text = `${JSON.stringify(leadingPart(environment), undefined, 2)}\n`;
  return { name: ENVIRONMENT, mode: 0o600, content: Buffer.from(text) };
}

/** The file that is there, if it is as it was written. */
export function keptEnvironment(
  { bin }: DaemonPaths,
  list: Pick<ClientList, "files"> | undefined,
): ClientFile | undefined {
  const digest = list?.files[ENVIRONMENT];
  const path = [ENVIRONMENT, join(SPARE, ENVIRONMENT)]
    .map((name) => join(bin, name))
    .find((one) => digest !== undefined && digestAt(one) === digest);
  return path === undefined
    ? undefined
    : { name: ENVIRONMENT, mode: 0o600, content: readFileSync(path) };
}

/** The environment in the spare's folder. */
export function spareEnvironment(file: ClientFile): ClientFile {
  return { ...file, name: join(SPARE, ENVIRONMENT) };
}

/** What it says; undefined where nobody wrote it, or somebody else changed it. */
export function notedEnvironment(paths: DaemonPaths): Record<string, string> | undefined {
  const kept = keptEnvironment(paths, readList(paths));
  if (!kept) return undefined;
  const value: unknown = JSON.parse(kept.content.toString());
  const pairs = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/**
 * What agents run as Seam's MCP server. Some give it no environment to speak of. Further certificates
 * take Node longer to read than all else it does at its start: the server itself calls nobody, and
 * keeps their name for the daemon that it may have to start. `first`: the compiled client, which answers
 * the first questions without Node, and alone says what it hands over.
 */
export function serverFile(home: string, first?: string): ClientFile {
  const command = [process.execPath, builtFile("bin/mcp-pipe.js")].map(quoted).join(" ");
  const lines = [
    "#!/bin/sh",
    `export SEAM_HOME=${quoted(home)} SEAM_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS" NODE_EXTRA_CA_CERTS= SEAM_MCP_HANDED=`,
    ...(first === undefined
      ? []
      : [`[ -x ${quoted(first)} ] && exec ${quoted(first)} --mcp ${quoted(home)} ${command}`]),
    `exec ${command}`,
  ];
  return { name: "agentseam-mcp", mode: 0o700, content: Buffer.from(`${lines.join("\n")}\n`) };
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

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const PERL_PLACES = ["/usr/bin/perl", "/usr/local/bin/perl", "/opt/homebrew/bin/perl"];

/** A perl that can open a socket the way the client does. */
function usablePerl(): string | undefined {
  const script = "socket(my $s, 1, 1, 0) or exit 1; print 'ok'";
  return PERL_PLACES.filter((path) => existsSync(path)).find((path) => {
    const env = { PATH: process.env.PATH, PERL_BADLANG: "0" };
    const { status, stdout, stderr } = spawnSync(path, ["-e", script], { encoding: "utf8", env });
    return status === 0 && stdout === "ok" && stderr === "";
  });
}

/** What `seam doctor` wants to know of the hook client. */
interface ClientCheck {
  /** Files that were changed or removed since they were written. */
  readonly changed: readonly string[];
  /** It comes from another version of Seam, or it is not known what it should be. */
  readonly outdated: boolean;
  /** Why the slower shell client is used. */
  readonly missing?: string;
}

export function checkClient(paths: DaemonPaths): ClientCheck {
  const list = readList(paths);
  if (!list) return { changed: [], outdated: true };
  return {
    changed: changedFiles(paths, list),
    outdated: list.source !== sourceDigest(),
    ...(list.missing !== undefined && { missing: list.missing }),
  };
}
