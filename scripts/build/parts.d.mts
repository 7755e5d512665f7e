export const PROGRAMS: Readonly<Record<string, string>>;
export const ROOMS: Readonly<Record<string, string>>;
