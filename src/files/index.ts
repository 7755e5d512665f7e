export { breather } from "./breather.ts";
export { createFile } from "./create-file.ts";
export { ageOf } from "./file-age.ts";
export { type FileLock, pause, processStart, tryLock } from "./file-lock.ts";
export { isBelow, isInside, leadsOutside } from "./is-inside.ts";
export { isRunning, pidIn } from "./is-running.ts";
export { forThisProcess, libsql } from "./libsql.ts";
export { makeFolderBelow } from "./make-folder-below.ts";
export { parseProcessStat, processStat } from "./process-stat.ts";
export { LARGE_FILE, readRegular, readRegularText, SMALL_FILE } from "./read-regular.ts";
export { readText } from "./read-text.ts";
export { realTarget } from "./real-target.ts";
export { removeStale } from "./remove-stale.ts";
export { replaceFile } from "./replace-file.ts";
export {
  folderRefusal,
  markVersion,
  storeRefusal,
  storeVersion,
  VERSION_FILE,
} from "./store-version.ts";
