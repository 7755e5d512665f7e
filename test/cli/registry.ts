import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

type Files = Readonly<Record<string, string>>;

type Versions = Readonly<Record<string, Files>>;

/** A registry of npm with these packages in the versions given, until `close`. */
export async function registry(packages: Readonly<Record<string, Versions>>) {
  const tarballs = new Map<string, Buffer>();
  const server = createServer((request, answer) => {
    const tarball = tarballs.get(request.url ?? "");
    if (tarball) return void answer.end(tarball);
    const name = decodeURIComponent(request.url ?? "").slice(1);
    const versions = packages[name];
    if (!versions) {
      answer.statusCode = 404;
      return void answer.end("{}");
    }
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify(listing(name, versions)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tarballOf = (name: string, version: string, files: Files) => {
    const path = `/${name}/-/${name}-${version}.tgz`;
    const tarball = tarballs.get(path) ?? packed(files);
    tarballs.set(path, tarball);
    return { path, tarball };
  };
  const listing = (name: string, versions: Versions) => ({
    name,
    "dist-tags": { latest: Object.keys(versions).at(-1) },
    versions: Object.fromEntries(
      Object.entries(versions).map(([version, files]) => {
        const manifest = JSON.parse(files["package.json"] ?? "{}") as object;
        const { path, tarball } = tarballOf(name, version, files);
        const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
        const dist = { tarball: `${url}${path.slice(1)}`, integrity };
        return [version, { ...manifest, name, version, dist }];
      }),
    ),
  });
  return { url, close: () => server.close() };
}

function packed(files: Files): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "seam-pack-"));
  writeFiles(join(folder, "package"), files);
  execFileSync("tar", ["czf", "all.tgz", "package"], { cwd: folder });
  return readFileSync(join(folder, "all.tgz"));
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
