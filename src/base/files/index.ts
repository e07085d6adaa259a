export {
  bytesOf, entriesOf, fileNamesIn, isMissing, rawBytesOf, readError, textBytes, type BytesOptions,
} from './byte-source.ts';
export { EXPANSION_LIMIT, isBomb } from './expansion.ts';
export { HeldFolder, LOCK_FILE, lockFolder, takeFolder, withLock, type FolderLock } from './folder-lock.ts';
export { holderOf, holderText, isAlive, machineName } from './holder.ts';
export { eachLine, eachLineIn } from './lines.ts';
export { linesBefore, type LineBefore } from './lines-before.ts';
export { makeFolder } from './make-folder.ts';
export { syncFolder, writeAll, writeError, writeFiles } from './partial-file.ts';
export { checkRegular, openRegular, readRegular } from './regular-file.ts';
export { targetOf } from './target.ts';
