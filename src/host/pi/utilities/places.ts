import { join } from "node:path";
import { PROJECT_DIR, packageRoot } from "../../../settings/index.ts";

/** The folder of a project in which Seam's own files are. */
export const CONFIG_DIR_NAME = PROJECT_DIR;

export const getPackageDir = packageRoot;
export const getReadmePath = () => join(packageRoot(), "README.md");
export const getDocsPath = () => join(packageRoot(), "docs");
export const getExamplesPath = () => join(packageRoot(), "extensions");
