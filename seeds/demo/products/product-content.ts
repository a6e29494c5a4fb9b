import type { ColorName } from '../drawings/colors';
import type { DrawingName } from '../drawings/draw-product-image';
import type { OptionTypeName } from '../options';

/**
 * The stock of each variant of a product; the exact count is derived from the SKU. `plenty`: 24 to 120 units,
 * backorderable; `few`: 1 to 5, not backorderable; `sold_out`: none, not backorderable; `on_demand`: none,
 * backorderable; `untracked`: inventory is not tracked.
 */
export type StockLevel = 'plenty' | 'few' | 'sold_out' | 'on_demand' | 'untracked';

/** One product of the demo store. */
export interface ProductContent {
  readonly name: string;
  /** The SKU of the master; variants append their option values: `NF-TEE-NAVY-M`. */
  readonly sku: string;
  /** In US dollars, as a decimal string. */
  readonly price: string;
  readonly cost_price: string;
  /** In ounces. */
  readonly weight: string;
  readonly description: string;
  /** Names of its taxons; their ancestors are added automatically. */
  readonly taxons: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly drawing: DrawingName;
  /** The color of the product's images; variants with a color option use their own. */
  readonly color: ColorName;
  readonly options?: Readonly<Partial<Record<OptionTypeName, readonly string[]>>>;
  /** Prices by option value, where they differ from the product's price. */
  readonly prices?: Readonly<Record<string, string>>;
  readonly stock: StockLevel;
  /** SKU suffixes of variants that are sold out: `NAVY-M`. */
  readonly sold_out?: readonly string[];
  /** Days since it became available; negative for a future product. */
  readonly on_sale_for_days: number;
  /** Days since it was discontinued. */
  readonly discontinued_for_days?: number;
  readonly meta_title?: string;
  readonly meta_description?: string;
  readonly meta_keywords?: string;
}
