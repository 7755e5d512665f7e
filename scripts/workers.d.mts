import type { BuildOptions } from "esbuild";

export declare const WORKERS: Readonly<Record<string, string>>;
export declare const BUNDLE: Pick<BuildOptions, "bundle">;
