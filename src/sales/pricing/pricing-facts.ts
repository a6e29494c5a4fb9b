import type { Facts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { loadPurchase, lockScarcePromotions } from './order-promotions.repository';
import { loadPromotionOffers, type OffersQuestion } from './promotion-graph';
import { findReturnedWorths } from './returned-worths.repository';
import { findTaxCategories, getTaxSettings } from './taxes.repository';

/** What prices depend on besides the order (`withFacts`). */
export const PRICING_FACTS = {
  /** As `promotionOffers`, read after the promotions of these actions are locked. Ask it before `purchase`, and before stock. */
  async lockedPromotionOffers(tx: Tx, question: OffersQuestion & { action_ids: readonly number[] }) {
    await lockScarcePromotions(tx, question.action_ids);
    return loadPromotionOffers(tx, question);
  },
  promotionOffers: loadPromotionOffers,
  purchase: loadPurchase,
  returnedWorths: findReturnedWorths,
  taxCategories: findTaxCategories,
  taxSettings: getTaxSettings,
};

export type PricingFacts = Facts<typeof PRICING_FACTS>;
