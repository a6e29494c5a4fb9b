import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and hashes with keys that are derived from the secret key for one purpose. */
export interface SealedBox {
  /** Encrypts with AES-256-GCM; `open` needs the same `context`. */
  seal(plain: Buffer, context: Buffer): Buffer;
  /** @throws Error if the bytes were sealed with another secret or context, or were changed */
  open(sealed: Buffer, context: Buffer): Buffer;
  /** Returns the HMAC-SHA256 of a text. */
  digest(text: string): Buffer;
}

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Builds the box of one purpose. */
export function createSealedBox(secret: Buffer, purpose: string): SealedBox {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `${purpose} ${use}`, 32));
  const encryption = derive('encryption');
  const hashing = derive('hashing');
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(context);
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, NONCE_LENGTH);
      const tag = sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH);
      const decipher = createDecipheriv('aes-256-gcm', encryption, nonce).setAAD(context).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH + TAG_LENGTH)), decipher.final()]);
    },
    digest: (text) => createHmac('sha256', hashing).update(text).digest(),
  };
}
