import { randomBytes } from 'node:crypto';
import type { Audience } from '../audience';
import type { ProductGraph } from '../product-graph';
import type { VariantStock } from '../product-queries/product-snapshots.repository';
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

/** Builds the JSON of a product from its graph, and its template. The serializer, which runs once, decides what they contain. */
export function buildProductTemplate(
  graph: ProductGraph,
  audience: Audience,
): { text: string; template: ProductTemplate } {
  const json = serializeProduct(graph, audience);
  const variants = [graph.master, ...graph.variants].map(({ variant }) => variant);
  const places = new Map<unknown, number>([json.master, ...json.variants].map((one, index) => [one, index]));
  const stockAttributes = Object.keys(serializeStock(NO_STOCK));
  const gaps: Gap[] = [];
  const values: unknown[] = [];
  const mark = (gap: Gap, value: unknown) => {
    values.push(value);
    return `${MARK}:${gaps.push(gap) - 1}`;
  };
  const marked = JSON.stringify(json, function (this: unknown, attribute: string, value: unknown) {
    const variant = places.get(this);
    if (variant !== undefined && stockAttributes.includes(attribute))
      return mark({ variant, attribute }, value);
    const isOfProduct = this === json && Object.hasOwn(OF_PRODUCT, attribute);
    return isOfProduct ? mark({ variant: null, attribute }, value) : value;
  });
  const pieces = marked.split(MARKED).filter((_piece, index) => index % 2 === 0);
  const text = fillGaps(pieces, values);
  const facts = variants.map(({ id, tracks_inventory, price }) => ({ id, tracks_inventory, price }));
  return { text, template: { pieces, gaps, variants: facts, length: text.length } };
}

/** @param values one for each gap between the pieces */
function fillGaps(pieces: readonly string[], values: readonly unknown[]): string {
  return pieces
    .map((piece, index) => (index === 0 ? piece : JSON.stringify(values[index - 1]) + piece))
    .join('');
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
  const values = gaps.map(({ variant, attribute }) =>
    variant === null ? OF_PRODUCT[attribute]?.(facts) : ofVariants[variant]?.[attribute],
  );
  return fillGaps(pieces, values);
}
