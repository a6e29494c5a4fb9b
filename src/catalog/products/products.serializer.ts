import { serializeMetadata } from '../../access/metadata';
import { formatDecimal } from '../../platform/money';
import { displayMoney } from '../../platform/money-format';
import type { Audience } from '../audience';
import { serializeOptionType } from '../option-types/option-types.definition';
import { ProductProperty } from '../product-properties/product-properties.definition';
import type { ClassificationGraph, ProductGraph } from '../product-graph';
import type { VariantDetailRow } from '../variant-graph';
import { serializeTaxon } from '../taxon-tree/taxons.serializer';
import {
  calculateTotalOnHand,
  formatPrice,
  serializeStock,
  serializeVariant,
  type StockFacts,
} from '../variants/variants.serializer';
import { Product } from '../product-queries/products.definition';
import type { ClassificationJson, ProductJson } from './products.schema';

/** Serializes a product with its nested records. Some attributes are visible to admins only. */
export function serializeProduct(graph: ProductGraph, audience: Audience): ProductJson {
  const { product, master } = graph;
  return {
    ...Product.serialize(product, {
      slug: product.slug,
      price: formatDecimal(master.variant.price),
      display_price: formatPrice(master.variant),
      taxon_ids: graph.classifications.map(({ taxon }) => taxon.id),
      total_on_hand: calculateProductTotalOnHand([master, ...graph.variants].map(({ variant }) => variant)),
    }),
    has_variants: graph.variants.length > 0,
    master: serializeVariant(master, audience),
    variants: graph.variants.map((variant) => serializeVariant(variant, audience)),
    option_types: graph.option_types.map(serializeOptionType),
    product_properties: graph.product_properties.map((row) => ProductProperty.serialize(row)),
    classifications: graph.classifications.map(serializeClassification),
    meta_title: product.meta_title,
    price_range: serializePriceRange(graph),
    in_stock: calculateProductInStock([master, ...graph.variants].map(({ variant }) => variant)),
    ...serializeMetadata(product, audience === 'admin'),
    created_at: product.created_at.toISOString(),
    updated_at: product.updated_at.toISOString(),
  };
}

function serializePriceRange({ product, master }: ProductGraph): ProductJson['price_range'] {
  const { lowest_price: min, highest_price: max } = product;
  const display = (price: string | null) => (price === null ? null : displayMoney(price, master.variant));
  return {
    min: formatDecimal(min),
    max: formatDecimal(max),
    display_min: display(min),
    display_max: display(max),
  };
}

/** What decides whether a variant is on sale and can be bought. */
export type OfferFacts = StockFacts & Pick<VariantDetailRow, 'price'>;

/**
 * Returns whether a variant on sale can be bought now. Variants with a price in the currency of the store are on sale;
 * without any, the master is. @param variants the master first
 */
export function calculateProductInStock([master, ...variants]: readonly OfferFacts[]): boolean {
  const priced = variants.filter(({ price }) => price !== null);
  const sold = priced.length > 0 || master === undefined ? priced : [master];
  return sold.some((variant) => serializeStock(variant).is_orderable);
}

/** Returns the units on hand of all variants; null if inventory of any is not tracked. */
export function calculateProductTotalOnHand(variants: readonly StockFacts[]): number | null {
  let total: number | null = 0;
  for (const variant of variants) {
    const onHand = calculateTotalOnHand(variant);
    total = total === null || onHand === null ? null : total + onHand;
  }
  return total;
}

function serializeClassification({ position, taxon }: ClassificationGraph): ClassificationJson {
  return { taxon_id: taxon.id, position, taxon: serializeTaxon(taxon) };
}
