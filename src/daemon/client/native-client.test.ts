import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageCopy } from "../test-kit/package-copy.ts";
import { testPlace } from "../test-kit/setup.ts";
import { type EnsuredClient, ensureClient } from "./ensure-client.ts";

/** Sources of a client that must not be used, and what is said of it. */
const UNFIT: readonly [
  what: string,
  file: string,
  change: (source: string) => string,
  said: RegExp,
][] = [
  [
    "opens gates that have to close",
    "gone.c",
    (source) => source.replace('if (closed) print_prepared("");', ""),
    /failed when it was tried: closed/,
  ],
  [
    "does not say what the daemon answers",
    "io.c",
    (source) => `${source}\n__attribute__((constructor)) static void ends(void) { _exit(0); }\n`,
    /failed when it was tried: daemon/,
  ],
  ["does not compile", "gone.c", () => "not C at all\n", / ended with 1/],
];

it.each(UNFIT)(
  "a compiled client that %s is not used: the shell's takes its place",
  (_, file, change, said) => {
    const place = testPlace();
    if (ensureClient(place.home).missing !== undefined) return;
    const { built } = packageCopy();
    const path = join(built, "client/native", file);
    const source = readFileSync(path, "utf8");
    writeFileSync(path, change(source));
    expect(readFileSync(path, "utf8")).not.toBe(source);
    const script = `
      import { ensureClient } from ${JSON.stringify(join(built, "daemon/index.js"))};
      process.stdout.write(JSON.stringify(ensureClient(${JSON.stringify(place.home)})));`;
    const args = ["--input-type=module", "-e", script];
    const done: EnsuredClient = JSON.parse(execFileSync(process.execPath, args).toString());
    expect(done.missing).toMatch(said);
    expect(readFileSync(place.hook)).toEqual(readFileSync(join(place.bin, "hook.sh")));
  },
  60_000,
);
