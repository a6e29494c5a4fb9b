import { createHash } from 'node:crypto';

/** JSON that is part of a reply and is sent as it is. */
export class JsonText {
  #hash: Buffer | null = null;

  /**
   * @param bytes in UTF-8
   * @param parts what the hash is calculated from, if not from the bytes
   */
  constructor(
    readonly bytes: Buffer,
    private readonly parts: readonly (Buffer | JsonText)[] = [bytes],
  ) {}

  get text(): string {
    return this.bytes.toString();
  }

  /** The SHA-256 hash of the bytes; of a list, that of the hashes of its items. Calculated once. */
  get hash(): Buffer {
    return (this.#hash ??= hashAll(this.parts.map((part) => (part instanceof JsonText ? part.hash : part))));
  }
}

/** Serializes a value, so that it can be part of many replies. */
export function buildJsonText(value: unknown): JsonText {
  return new JsonText(Buffer.from(JSON.stringify(value)));
}

/** Returns the JSON text of a value. */
export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/**
 * Builds the JSON of an object whose last property is a list, with the JSON of its items. Its hash does not read the bytes
 * of the items again.
 */
export function joinJson(head: object, key: string, items: readonly JsonText[]): JsonText {
  const start = Buffer.from(JSON.stringify({ ...head, [key]: [] }).slice(0, -2));
  const pieces: Buffer[] = [start];
  for (const [index, { bytes }] of items.entries()) {
    if (index > 0) pieces.push(COMMA);
    pieces.push(bytes);
  }
  pieces.push(END);
  return new JsonText(Buffer.concat(pieces), [start, ...items]);
}

function hashAll(parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
