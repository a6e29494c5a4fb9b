import type { ColorName } from '../drawings/colors';
import type { DrawingName } from '../drawings/draw-product-image';
import type { OptionTypeName } from '../options';

/**
 * How much of a product (of each of its variants) lies in the stock location; the exact count follows from the SKU.
 * `plenty` 24 to 120 pieces, `few` 1 to 5 and no backorders, `sold_out` none and no backorders,
 * `on_demand` none but backorders, `untracked` not counted at all.
 */
export type StockLevel = 'plenty' | 'few' | 'sold_out' | 'on_demand' | 'untracked';

/** One product of the demo store, in the words its shop owner would use. */
export interface ProductContent {
  readonly name: string;
  /** The master's SKU; variants append their option values: `NF-TEE-NAVY-M`. */
  readonly sku: string;
  /** US dollars, as everywhere a decimal string. */
  readonly price: string;
  readonly cost_price: string;
  /** In ounces. */
  readonly weight: string;
  readonly description: string;
  /** Names of its taxons; the ancestors of each follow by themselves. */
  readonly taxons: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly drawing: DrawingName;
  /** The colour of the product's own pictures; variants with a colour of their own are drawn in that. */
  readonly color: ColorName;
  readonly options?: Readonly<Partial<Record<OptionTypeName, readonly string[]>>>;
  /** Prices of the variants with this option value, where they differ from the product's. */
  readonly prices?: Readonly<Record<string, string>>;
  readonly stock: StockLevel;
  /** Endings of the SKUs of variants that are gone: `NAVY-M`. */
  readonly sold_out?: readonly string[];
  /** Days since it came on sale; negative for a product still to come. */
  readonly on_sale_for_days: number;
  /** Days since it was discontinued. */
  readonly discontinued_for_days?: number;
  readonly meta_title?: string;
  readonly meta_description?: string;
  readonly meta_keywords?: string;
}
