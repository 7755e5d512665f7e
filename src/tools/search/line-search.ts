/** What grep looks for. */
export interface LineQuery {
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** Which files to search; with "!" in front, which not to. */
  glob: string | undefined;
}

/** Where grep looks: in a folder, or in one file of it. */
export interface SearchPlace {
  folder: string;
  file: string | undefined;
}

export interface LineMatch {
  /** From the folder of the place, with "/" between its parts. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
}
