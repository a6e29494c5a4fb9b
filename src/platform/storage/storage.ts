import type { Readable } from 'node:stream';

/** Bytes to keep: in memory, or a file on this machine that is copied. */
export type FileContent = Buffer | { path: string };

export interface StoredFile {
  /** Bytes. */
  size: number;
  /** To be read to its end, or destroyed. */
  stream: Readable;
}

export interface StoredFileInfo {
  key: string;
  modified_at: Date;
}

/**
 * Where the shop keeps files. A key is a path of lower-case names (`images/3f/3f2a.../mini`) and is given out once:
 * what is stored under it never changes, it only goes away. Which files are needed is known by the rows that name
 * their keys, never by the storage.
 */
export interface FileStorage {
  /** Returns when the content is on the disk; nobody ever sees half of it. */
  put(key: string, content: FileContent): Promise<void>;
  /** Null when there is no such file. */
  open(key: string): Promise<StoredFile | null>;
  /** Removes the file, or every file below `prefix`; fine when there is none. */
  remove(prefix: string): Promise<void>;
  /** Every file below `prefix`, the unfinished too; files of one folder come together. */
  list(prefix: string): AsyncIterable<StoredFileInfo>;
}
