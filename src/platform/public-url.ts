let prefix = '';

/** Sets the address under which the program is reached, without a slash at its end; empty if it is unknown. */
export function setPublicUrl(url: string): void {
  prefix = url;
}

/** Returns the address under which the program is reached; empty if it is unknown. */
export const getPublicUrl = (): string => prefix;

/** Returns the address of a path of this server; the path itself if the address of the server is unknown. */
export function toPublicUrl(path: string): string {
  return prefix + path;
}
