import type { Span } from "./span.ts";

/** How far from the id of a key its secret part stands. */
const NEAR = 256;
const SECRET = /(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])/g;
const NAME = /aws_?secret_?access_?key["']?[ \t]+["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=_-])/gi;
const HASH = /^[0-9a-f]+$|^[0-9A-F]+$/;

/**
 * The secret part of a key of AWS has no shape of its own: forty characters that can be taken for a
 * path. It is told by the id of the key, which stands beside it.
 */
export function findAwsSecrets(text: string, found: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end, kind } of found) {
    if (kind !== "aws-access-key") continue;
    const from = Math.max(0, start - NEAR);
    for (const { index, 0: value } of text.slice(from, end + NEAR).matchAll(SECRET)) {
      if (isSecret(value)) spans.push(spanAt(from + index, value));
    }
  }
  if (!/ccess|CCESS/.test(text)) return spans;
  for (const { index, 0: whole, 1: value = "" } of text.matchAll(NAME)) {
    if (isSecret(value)) spans.push(spanAt(index + whole.length - value.length, value));
  }
  return spans;
}

function isSecret(value: string): boolean {
  return !HASH.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

function spanAt(start: number, value: string): Span {
  return { start, end: start + value.length, kind: "aws-secret-key" };
}
