import { register } from "node:module";

// Node loads this with --import, so that tests that import "agentseam" get this package.
register("./resolve.js", import.meta.url);
