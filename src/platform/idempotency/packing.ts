import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { SealedBox } from '../sealed-box';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Shorter bytes gain nothing. */
const MIN_LENGTH = 256;
/** The first bytes of gzip. Neither JSON nor serialized values begin with them. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Compresses, then encrypts: what is encrypted cannot be compressed. */
export async function pack(box: SealedBox, plain: Buffer, context: Buffer): Promise<Buffer> {
  return box.seal(plain.length < MIN_LENGTH ? plain : await compress(plain), context);
}

/** Opens what `pack` returned. @throws Error if it was sealed with another secret or context */
export async function unpack(box: SealedBox, sealed: Buffer, context: Buffer): Promise<Buffer> {
  const plain = box.open(sealed, context);
  return plain.subarray(0, 2).equals(GZIP_MAGIC) ? decompress(plain) : plain;
}
