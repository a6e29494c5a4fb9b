import { formatDecimal } from '../../platform/money';
import type { Audience } from '../audience';
import { serializeOptionType } from '../option-types/option-types.serializer';
import { serializeProductProperty } from '../product-properties/product-properties.serializer';
import type { ClassificationGraph, ProductGraph } from '../product-graph';
import { serializeTaxon } from '../taxon-tree/taxons.serializer';
import {
  calculateTotalOnHand,
  formatPrice,
  serializeVariant,
  type StockFacts,
} from '../variants/variants.serializer';
import { Product } from '../product/products.definition';
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
    product_properties: graph.product_properties.map(serializeProductProperty),
    classifications: graph.classifications.map(serializeClassification),
  };
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
