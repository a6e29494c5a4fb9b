/** What the reply to an error says about its request. */
export interface RequestNotes {
  /** Dotted paths of ignored parameters. */
  ignored: readonly string[];
  /** A sentence on ignored parameters that were probably meant to be others; null if there are none. */
  hint: string | null;
}

const notes = new WeakMap<object, RequestNotes>();

/** Attaches notes to an error, which may be one of a library. @returns the error */
export function noteRequest(error: unknown, note: RequestNotes): unknown {
  if (typeof error === 'object' && error !== null) notes.set(error, note);
  return error;
}

/** Returns the notes of an error; null if it has none. */
export function getRequestNotes(error: unknown): RequestNotes | null {
  return typeof error === 'object' && error !== null ? (notes.get(error) ?? null) : null;
}
