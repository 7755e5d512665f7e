/** Characters that some file systems leave out when they compare names. */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A path in the form in which two are the same file on any file system: some make no difference
 * between upper and lower case or between ways to write one character. That a name is taken for
 * Seam's on a file system where it is another one does no harm.
 */
export function comparable(path: string): string {
  // Nearly all paths are plain: nothing but the case has to be dealt with.
  if (/^[\x20-\x7e]*$/.test(path)) return path.toLowerCase();
  return path.replace(IGNORED, "").normalize("NFKC").toLowerCase();
}
