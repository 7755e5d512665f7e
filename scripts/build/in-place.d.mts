export declare function inPlace(
  folder: string,
  build: (made: string) => Promise<void>,
): Promise<void>;
