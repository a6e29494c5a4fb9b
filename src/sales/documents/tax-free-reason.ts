import type { DocumentLabel } from '../../accounts/stores/document-labels';
import type { DocumentSnapshot, TaxFreeReason } from './documents.repository';
import { findVatId } from './einvoice-parties';

type Parties = Pick<DocumentSnapshot, 'seller' | 'ship_address' | 'vat_id'>;

/**
 * Whether untaxed amounts are an intra-Community supply: from one country of the EU to a business in another, both with VAT ids.
 * Outside the EU the reason is never `no_zone` but `export`.
 */
export function isIntraCommunity({ seller, ship_address, vat_id }: Parties, reason: TaxFreeReason): boolean {
  const [own, buyers] = [findVatId(seller?.vat_id), findVatId(vat_id)];
  return (
    reason === 'no_zone' &&
    own !== null &&
    buyers !== null &&
    own.slice(0, 2) !== buyers.slice(0, 2) &&
    ship_address?.country_iso !== undefined &&
    ship_address.country_iso !== seller?.country_iso
  );
}

/** Returns the label of the reason for which an amount is not taxed. */
export const findReasonLabel = (parties: Parties, reason: TaxFreeReason): DocumentLabel =>
  isIntraCommunity(parties, reason) ? 'reason_intra_community' : `reason_${reason}`;
