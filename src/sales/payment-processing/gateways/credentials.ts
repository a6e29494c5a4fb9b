import { createSealedBox, type SealedBox } from '../../../platform/sealed-box';
import { isRecord } from '../../../platform/parameters';

/** The credentials of a payment method as its row has them: `{}`, or sealed with the key of the store. */
export type StoredCredentials = Record<string, unknown>;

const CONTEXT = Buffer.from('payment method');
const boxes = new WeakMap<Buffer, SealedBox>();

function findBox(secret: Buffer): SealedBox {
  const box = boxes.get(secret) ?? createSealedBox(secret, 'credentials of payment methods');
  boxes.set(secret, box);
  return box;
}

/** Encrypts credentials for their row, so that neither the database nor its backups reveal them. */
export function sealCredentials(secret: Buffer, credentials: Record<string, unknown>): StoredCredentials {
  if (Object.keys(credentials).length === 0) return {};
  const plain = Buffer.from(JSON.stringify(credentials));
  return { sealed: findBox(secret).seal(plain, CONTEXT).toString('base64') };
}

/**
 * Returns the credentials of a row, which earlier versions stored as they were.
 * @throws Error if they were sealed with the key of another store
 */
export function openCredentials(secret: Buffer, stored: unknown): Record<string, unknown> {
  if (!isRecord(stored)) return {};
  const { sealed } = stored;
  if (typeof sealed !== 'string') return stored;
  const opened: unknown = JSON.parse(
    findBox(secret).open(Buffer.from(sealed, 'base64'), CONTEXT).toString('utf8'),
  );
  return isRecord(opened) ? opened : {};
}
