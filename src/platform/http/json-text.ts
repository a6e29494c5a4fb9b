import { createHash } from 'node:crypto';

/** JSON that is part of a reply and is sent as it is. */
export class JsonText {
  /** In bytes. */
  readonly length: number;
  #pieces: readonly Buffer[];
  #hash: Buffer | null = null;
  #isSent = false;

  /**
   * @param pieces in UTF-8. Lists share those of their items, so that many lists cost little memory
   * @param parts what the hash is calculated from
   */
  constructor(
    pieces: readonly Buffer[],
    private readonly parts: readonly (Buffer | JsonText)[] = pieces,
  ) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Builds the JSON of a value. */
  static of(value: unknown): JsonText {
    return new JsonText([Buffer.from(JSON.stringify(value))]);
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** All pieces as one buffer, which is new if there are several. */
  get bytes(): Buffer {
    const [only, ...others] = this.#pieces;
    return only !== undefined && others.length === 0 ? only : Buffer.concat(this.#pieces);
  }

  /** Returns the pieces to send. From the second time on they are one, because many take longer to send. */
  takePieces(): readonly Buffer[] {
    if (this.#isSent && this.#pieces.length > 1) this.#pieces = [this.bytes];
    this.#isSent = true;
    return this.#pieces;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The SHA-256 hash of the bytes; of a list, that of the hashes of its items. Calculated once. */
  get hash(): Buffer {
    return (this.#hash ??= hashAll(this.parts.map((part) => (part instanceof JsonText ? part.hash : part))));
  }
}

/** Returns the JSON text of a value. */
export function toJsonText(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Builds the JSON of an object whose last property is a list, with the JSON of its items. Copies nothing of the items. */
export function joinJson(head: object, key: string, items: readonly JsonText[]): JsonText {
  const start = Buffer.from(JSON.stringify({ ...head, [key]: [] }).slice(0, -2));
  const pieces = items.flatMap((item, index) => (index === 0 ? item.pieces : [COMMA, ...item.pieces]));
  return new JsonText([start, ...pieces, END], [start, ...items]);
}

function hashAll(parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
