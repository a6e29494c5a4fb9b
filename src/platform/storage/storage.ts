import type { Readable } from 'node:stream';

/** The content to store: bytes, or a file on this machine, which is copied. */
export type FileContent = Buffer | { path: string };

export interface StoredFile {
  /** In bytes. */
  size: number;
  /** Must be read to its end or destroyed. */
  stream: Readable;
}

export interface StoredFileInfo {
  key: string;
  modified_at: Date;
}

/**
 * The storage of uploaded files. A key is a path of lower-case names (`images/3f/3f2a.../mini`) and is used once: its
 * content never changes, and can only be removed. Rows contain the keys of the files that are needed; the storage does
 * not know which files are.
 */
export interface FileStorage {
  /** Stores the content durably and atomically. @throws InsufficientStorage, and Unavailable as all methods if the service is away */
  put(key: string, content: FileContent): Promise<void>;
  /** Returns whether there is space for another upload. */
  hasSpace(): Promise<boolean>;
  /** Opens a file; null if it does not exist. */
  open(key: string): Promise<StoredFile | null>;
  /** Removes a file or all files below `prefix`. Does nothing if there are none. */
  remove(prefix: string): Promise<void>;
  /** Lists all files below `prefix`, or all files if it is empty, including incomplete ones. Files of one folder are consecutive. */
  list(prefix: string): AsyncIterable<StoredFileInfo>;
}
