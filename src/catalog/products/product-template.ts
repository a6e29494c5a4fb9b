import { randomBytes } from 'node:crypto';
import type { Audience } from '../audience';
import type { ProductGraph } from '../product-graph';
import type { VariantStock } from '../product/product-states.repository';
import type { VariantDetailRow } from '../variant-graph';
import { serializeStock, type StockFacts } from '../variants/variants.serializer';
import {
  calculateProductInStock,
  calculateProductTotalOnHand,
  serializeProduct,
  type OfferFacts,
} from './products.serializer';

/** The JSON of a product with gaps where it shows stock. */
export interface ProductTemplate {
  /** One more than `gaps`. */
  pieces: readonly string[];
  gaps: readonly Gap[];
  /** The master first. */
  variants: readonly Pick<VariantDetailRow, 'id' | 'tracks_inventory' | 'price'>[];
  /** The length of the text. */
  length: number;
}

/** A value to fill in: an attribute of the variant at `variant`, or of the product if it is null. */
interface Gap {
  variant: number | null;
  attribute: string;
}

/** Marks a gap in the text. Random, so that no text of a product can contain it. */
const MARK = randomBytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}:(\\d+)"`);

/** Builds the template of a product from its graph. The serializer decides what it contains. */
export function buildProductTemplate(graph: ProductGraph, audience: Audience): ProductTemplate {
  const json = serializeProduct(graph, audience);
  const variants = [graph.master, ...graph.variants].map(({ variant }) => variant);
  const places = new Map<unknown, number>([json.master, ...json.variants].map((one, index) => [one, index]));
  const stockAttributes = Object.keys(serializeStock(NO_STOCK));
  const gaps: Gap[] = [];
  const mark = (gap: Gap) => `${MARK}:${gaps.push(gap) - 1}`;
  const text = JSON.stringify(json, function (this: unknown, attribute: string, value: unknown) {
    const variant = places.get(this);
    if (variant !== undefined && stockAttributes.includes(attribute)) return mark({ variant, attribute });
    return this === json && Object.hasOwn(OF_PRODUCT, attribute) ? mark({ variant: null, attribute }) : value;
  });
  return {
    pieces: text.split(MARKED).filter((_piece, index) => index % 2 === 0),
    gaps,
    variants: variants.map(({ id, tracks_inventory, price }) => ({ id, tracks_inventory, price })),
    length: text.length,
  };
}

/** The attributes of a product that depend on the stock of its variants. */
const OF_PRODUCT: Record<string, (variants: readonly OfferFacts[]) => unknown> = {
  total_on_hand: calculateProductTotalOnHand,
  in_stock: calculateProductInStock,
};

const NO_STOCK: StockFacts = { tracks_inventory: true, count_on_hand: 0, backorderable: false };

/** Fills in the stock. Returns null if the stock of a variant is missing: the template is of another version. */
export function fillProductTemplate(
  { pieces, gaps, variants }: ProductTemplate,
  stock: readonly VariantStock[],
): string | null {
  const facts = variants.flatMap(({ id, tracks_inventory, price }): OfferFacts[] => {
    const held = stock.find(({ variant_id }) => variant_id === id);
    return held === undefined ? [] : [{ tracks_inventory, price, ...held }];
  });
  if (facts.length < variants.length || stock.length > variants.length) return null;
  const ofVariants: Record<string, unknown>[] = facts.map(serializeStock);
  let text = pieces[0] ?? '';
  for (const [index, { variant, attribute }] of gaps.entries()) {
    const value = variant === null ? OF_PRODUCT[attribute]?.(facts) : ofVariants[variant]?.[attribute];
    text += JSON.stringify(value) + (pieces[index + 1] ?? '');
  }
  return text;
}
