import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import { builtFile } from "../../settings/index.ts";

export interface PageFile {
  readonly bytes: Buffer;
  readonly gzip?: Buffer;
  readonly mime: string;
}

const MIME: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

const BASE = "%BASE%";

/**
 * The page as it was built. All of it is read once, so that a path in a request never becomes a
 * path of a file, and an update of the package changes nothing under an open page.
 */
export class PageFiles {
  readonly #assets = new Map<string, PageFile>();
  readonly #document: string;

  constructor(folder = builtFile("web")) {
    try {
      this.#document = readFileSync(join(folder, "index.html"), "utf8");
      const names = readdirSync(join(folder, "assets"));
      for (const name of names.filter((one) => !one.endsWith(".gz"))) {
        const gzip = names.includes(`${name}.gz`);
        this.#assets.set(name, {
          bytes: readFileSync(join(folder, "assets", name)),
          mime: MIME[extname(name)] ?? "application/octet-stream",
          ...(gzip && { gzip: readFileSync(join(folder, "assets", `${name}.gz`)) }),
        });
      }
    } catch (error) {
      const detail = "the page is missing in this installation of Seam";
      throw new SeamError("SEAM_VIEW_READER", { detail }, { cause: error });
    }
  }

  asset(name: string): PageFile | undefined {
    return this.#assets.get(name);
  }

  /** The document, for a page that lives under this path. */
  document(prefix: string): string {
    return this.#document.replaceAll(BASE, `${prefix}/`);
  }
}
