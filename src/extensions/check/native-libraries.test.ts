import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sourceOf } from "../find/source.ts";
import { checkExtensions } from "./check-extensions.ts";

const LIBRARY = join(import.meta.dirname, "../../../node_modules/@libsql/linux-x64-gnu/index.node");

it.skipIf(!existsSync(LIBRARY))(
  "a native library stays when the thread in which an extension loaded it is over",
  async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), "native-")));
    const library = join(cwd, "library.node");
    copyFileSync(LIBRARY, library);
    const path = join(cwd, "native.ts");
    writeFileSync(path, 'import "./library.node";\nexport default () => {};\n');
    const [report] = await checkExtensions([sourceOf(path, "user")], { cwd });
    expect(report?.problems).toEqual([]);
    expect(readFileSync("/proc/self/maps", "utf8")).toContain(library);
  },
);
