import { register } from "node:module";

// Loaded with --import: tests that import "agentseam" get the package this command belongs to.
register("./resolve.js", import.meta.url);
