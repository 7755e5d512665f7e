// A build starts from nothing: files of sources that are gone must not be packed.
import { rmSync } from "node:fs";

rmSync(new URL("../dist/", import.meta.url), { recursive: true, force: true });
