import type { Ctx } from '../access/context';
import { readCatalogRevision } from './catalog-revisions.repository';
import { getNextAppearance, readVisibility } from './product-queries/cached-lists';
import type { ReplySource } from '../platform/http/reply-cache';

const MEBIBYTE = 1024 * 1024;

/**
 * The cache rules of replies that depend on the catalog only. Triggers append to catalog_revisions in the transaction
 * of every change of a catalog table, stock included. The sum of the table is the catalog revision.
 */
export const catalogReplies: ReplySource<Ctx> = {
  name: 'catalog replies',
  revision: ({ db }) => readCatalogRevision(db),
  validUntil: ({ db, now }, revision) => getNextAppearance(db, readVisibility(revision), now()),
  maxBytes: 32 * MEBIBYTE,
};
