import { register } from "node:module";
import { pathToFileURL } from "node:url";
import threads from "node:worker_threads";
import zlib from "node:zlib";
import { exportedNames } from "./exported-names.ts";
import { PACKED, PEERS } from "./pi.ts";

/** One version of a module of Pi's: where its names are declared, and the file that runs. */
export interface PiModule {
  readonly version: string;
  readonly names: readonly string[];
  load(): Promise<Readonly<Record<string, unknown>>>;
}

interface Files {
  readonly version: string;
  readonly declares: string;
  /** The one that is run, where that is another. */
  readonly runs?: string;
}

const installed = (name: string): Files => ({
  version: "0.74.2",
  declares: `${PEERS}/${name}/dist/index.js`,
});
const later = (name: string, file = "index"): Files => ({
  version: "1.5.0",
  declares: `${PACKED}/${name}-1.5.0/dist/${file}.js`,
});

const FILES: Readonly<Record<string, readonly Files[]>> = {
  "pi-coding-agent": [
    installed("pi-coding-agent"),
    {
      ...later("pi-coding-agent"),
      // What it depends on cannot be installed; in this file it is all together.
      runs: `${PACKED}/pi-coding-agent-1.5.0/dist/bundle/index.js`,
    },
  ],
  "pi-ai": [installed("pi-ai"), later("pi-ai")],
  "pi-ai/compat": [later("pi-ai", "compat")],
  "pi-agent-core": [installed("pi-agent-core"), later("pi-agent-core")],
  "pi-tui": [
    installed("pi-tui"),
    { version: "0.87.1", declares: `${PACKED}/pi-tui-0.87.1/dist/index.js` },
  ],
};

let isReady = false;

/** What later versions expect of a later Node, and Node 20 lacks. None of it is used here. */
function makeReady(): void {
  if (isReady) return;
  isReady = true;
  register(new URL("./later-pi-hooks.mjs", import.meta.url));
  for (const [module, name] of [
    [zlib, "createZstdDecompress"],
    [threads, "markAsUncloneable"],
  ] as const) {
    if (!(name in module)) Reflect.set(module, name, () => {});
  }
}

/** Pi's modules by their names, each in the versions that are looked at. */
export const PI_MODULES: ReadonlyMap<string, readonly PiModule[]> = new Map(
  Object.entries(FILES).map(([name, versions]) => [
    name,
    versions.map(({ version, declares, runs = declares }) => ({
      version,
      names: exportedNames(declares),
      load: async () => {
        makeReady();
        return import(/* @vite-ignore */ pathToFileURL(runs).href);
      },
    })),
  ]),
);
