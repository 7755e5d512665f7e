import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { replaceFile } from "../files/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";

const SHAPE = /^[0-9a-f]{64}$/;

/** The token of this user. Kept between starts, so that what was installed with it goes on working. */
export function ownToken({ token: path }: DaemonPaths): string {
  const known = readToken(path);
  if (known !== undefined) return known;
  return newToken(path);
}

/** Makes a new token in the place of one that somebody else may have been told. */
export function newToken(path: string): string {
  const token = randomBytes(32).toString("hex");
  replaceFile(path, token);
  return token;
}

/** Undefined if there is none, or if others could have read it. */
export function readToken(path: string): string | undefined {
  try {
    const stats = statSync(path);
    const token = readFileSync(path, "utf8").trim();
    if ((stats.mode & 0o077) !== 0) {
      chmodSync(path, 0o600);
      return undefined;
    }
    return SHAPE.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the same time however much of it is right. */
export function sameToken(given: string | undefined, token: string): boolean {
  if (given === undefined) return false;
  const mine = Buffer.from(token);
  const theirs = Buffer.alloc(mine.length);
  theirs.write(given);
  return timingSafeEqual(mine, theirs) && given.length === token.length;
}
