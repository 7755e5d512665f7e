/** Something an agent does that one would not expect, and what Seam does about it. */
export interface Quirk {
  /** Stable; every one of them is named in a test. */
  readonly id: string;
  /** The version it was seen in. */
  readonly seenIn: string;
  /** Native hooks it is about; none: it is about something else. */
  readonly hooks?: readonly string[];
  readonly what: string;
  readonly does: string;
}
