/** As far as git looks to tell text from binary. */
const CHECKED_BYTES = 8000;

/** Throws for a file that would only fill the model's context with noise. */
export function refuseBinary(start: Buffer): void {
  if (!start.subarray(0, CHECKED_BYTES).includes(0)) return;
  const byteOrderMark = start.toString("hex", 0, 2);
  if (byteOrderMark === "fffe" || byteOrderMark === "feff") {
    throw new Error("it is UTF-16 text. Convert it with bash: iconv -f UTF-16 -t UTF-8");
  }
  throw new Error("it is a binary file. Look at it with bash, for example: file, xxd, strings");
}
