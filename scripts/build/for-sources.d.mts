export declare function buildForSources(): Promise<void>;
