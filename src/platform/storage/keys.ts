const NAME = '[a-z0-9][a-z0-9._-]*';
const KEY = new RegExp(`^${NAME}(/${NAME})*$`);

/** Returns whether the text is a storage key: a path of lower-case names. */
export function isStorageKey(text: string): boolean {
  return KEY.test(text);
}

/** @throws Error if the text is not a storage key */
export function requireStorageKey(text: string): void {
  if (!isStorageKey(text)) throw new Error(`${JSON.stringify(text)} is not a storage key`);
}
