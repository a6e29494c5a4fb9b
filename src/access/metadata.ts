import { z } from 'zod';
import { jsonObject } from '../platform/http/fields';
import { forAdmins } from '../platform/http/ignored-parameters';
import type { JsonObject } from '../platform/json-object';
import type { Attribute } from '../platform/query-builder/define-search';
import { isAdmin, type Actor } from './actor';

/** What other systems store with a record: `metadata` for staff only, `public_metadata` for everyone. Never null. */
export interface Metadata {
  metadata: JsonObject;
  public_metadata: JsonObject;
}

const RULES =
  'A JSON object of up to 16 KB without spaces, in a request of at most ten levels. A request replaces it as a whole. ' +
  'Send long ids and exact decimals as text.';

export const METADATA_DESCRIPTIONS = {
  metadata: `Data of other systems, such as ids, visible to admins only. Defaults to \`{}\`. ${RULES}`,
  public_metadata: `Data of other systems, visible to everyone who can read the record. Defaults to \`{}\`. ${RULES}`,
};

const describeIgnored = (text: string): string => `${text} Ignored unless the caller is an admin.`;

/** The fields in requests that shoppers may send too; use `readMetadata`. */
export const metadataInput = {
  metadata: forAdmins(
    jsonObject().optional.meta({ description: describeIgnored(METADATA_DESCRIPTIONS.metadata) }),
  ),
  public_metadata: forAdmins(
    jsonObject().optional.meta({ description: describeIgnored(METADATA_DESCRIPTIONS.public_metadata) }),
  ),
};

const Json = z.record(z.string(), z.unknown());

/** The fields in replies. */
export const metadataReply = {
  metadata: Json.optional().meta({
    description: 'Data of other systems, `{}` without any. Visible to admins only.',
    examples: [{ erp_id: '4711' }],
  }),
  public_metadata: Json.meta({
    description: 'Data of other systems, `{}` without any. Visible to everyone who can read the record.',
    examples: [{ badge: 'new' }],
  }),
};

/** Attributes of `q` for admins. */
export const metadataSearch: Record<string, Attribute> = { metadata: 'json' };

/** Serializes the metadata of a record. */
export function serializeMetadata(
  { metadata, public_metadata }: Metadata,
  forAdmin: boolean,
): { metadata?: JsonObject; public_metadata: JsonObject } {
  return { ...(forAdmin && { metadata }), public_metadata };
}

/** The metadata of a request; undefined or null leaves a column unchanged. */
export type MetadataChanges = { [K in keyof Metadata]?: JsonObject | null | undefined };

/** Returns the columns that a request changes: none unless the actor is an admin. */
export function readMetadata(
  actor: Actor,
  { metadata, public_metadata }: MetadataChanges,
): Partial<Metadata> {
  if (!isAdmin(actor)) return {};
  return { ...(metadata != null && { metadata }), ...(public_metadata != null && { public_metadata }) };
}
