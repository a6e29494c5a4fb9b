import type { Ctx } from '../context';
import { InvalidResource, NotFound } from '../../platform/errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { renderSlips } from './document-files';
import type { DocumentFile } from './documents.service';
import { findShipmentKey } from '../fulfilment/shipments.repository';
import { findShipmentIds, loadPackingSlips } from './packing-slips.repository';

/** Packing slips in one file. */
export const MAX_PACKING_SLIPS = 200;

/** Returns the packing slip of a shipment of a complete order. @throws NotFound, Unavailable */
export async function getPackingSlip(ctx: Ctx, number: string): Promise<DocumentFile> {
  const key = await findShipmentKey(ctx.db, number);
  const found = await loadPackingSlips(ctx.db, key === undefined ? [] : [key.id]);
  const [slip] = found.slips;
  if (slip === undefined || slip.completed_at === null) throw new NotFound();
  return { name: `packing-slip-${slip.number}.pdf`, content: await renderSlips(ctx, found) };
}

/**
 * Returns the packing slips of the shipments that `list` finds in one file, by id.
 * @throws InvalidResource if there are too many; NotFound if there are none; Unavailable
 */
export async function getPackingSlips(ctx: Ctx, list: ListQuery): Promise<DocumentFile> {
  const ids = await findShipmentIds(ctx.db, list, MAX_PACKING_SLIPS);
  if (ids.length === 0) throw new NotFound();
  if (ids.length > MAX_PACKING_SLIPS) {
    throw new InvalidResource({ q: [`matches more than ${MAX_PACKING_SLIPS} shipments`] });
  }
  return { name: 'packing_slips.pdf', content: await renderSlips(ctx, await loadPackingSlips(ctx.db, ids)) };
}
