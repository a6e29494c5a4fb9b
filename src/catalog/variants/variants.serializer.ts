import { serializeMetadata } from '../../access/metadata';
import { formatDecimal } from '../../platform/money';
import { displayMoney } from '../../platform/money-format';
import type { Audience } from '../audience';
import { serializeImage } from '../images/images.serializer';
import { OptionValue } from '../option-values/option-values.definition';
import type {
  VariantDetailRow,
  VariantGraph,
  VariantGraphWithStock,
  VariantStockItem,
} from '../variant-graph';
import { buildOptionsText } from './options-text';
import type { VariantJson, VariantStockItemJson, VariantWithStockJson } from './variants.schema';

/** Serializes a variant inside products, line items, stock items and shipments. */
export function serializeVariant(graph: VariantGraph, audience: Audience): VariantJson {
  const { variant, product } = graph;
  const fields = {
    id: variant.id,
    name: product.name,
    sku: variant.sku,
    barcode: variant.barcode,
    price: formatDecimal(variant.price),
    weight: formatDecimal(variant.weight),
    height: formatDecimal(variant.height),
    width: formatDecimal(variant.width),
    depth: formatDecimal(variant.depth),
    is_master: variant.is_master,
    slug: product.slug,
    description: product.description,
    track_inventory: variant.tracks_inventory,
  };
  const forAdmin = audience === 'admin';
  const costs = forAdmin ? { cost_price: formatDecimal(variant.cost_price) } : {};
  const supply = {
    display_price: formatPrice(variant),
    options_text: buildOptionsText(graph.option_values),
    ...serializeStock(variant),
  };
  // Spread into a literal with more properties, it would take seven times as long (docs/performance.md).
  return Object.assign(fields, costs, supply, {
    is_destroyed: variant.deleted_at !== null,
    product_id: variant.product_id,
    updated_at: variant.updated_at.toISOString(),
    option_values: graph.option_values.map((value) => OptionValue.serialize(value)),
    images: graph.images.map(serializeImage),
    ...serializeMetadata(variant, forAdmin),
  });
}

/** Serializes a variant for the variants endpoints. */
export function serializeVariantWithStock(
  graph: VariantGraphWithStock,
  audience: Audience,
): VariantWithStockJson {
  const { stock_items } = graph;
  return {
    ...serializeVariant(graph, audience),
    ...(audience === 'admin' && { committed: countCommitted(stock_items) }),
    stock_items: stock_items.map(serializeStockItem),
  };
}

const countCommitted = (items: readonly VariantStockItem[]): number =>
  items.reduce((units, { committed = 0 }) => units + committed, 0);

/** What the stock attributes of a variant depend on. */
export type StockFacts = Pick<VariantDetailRow, 'tracks_inventory' | 'backorderable'> & {
  count_on_hand: string | number;
};

/** Serializes the attributes of a variant that depend on its stock. */
export function serializeStock(
  variant: StockFacts,
): Pick<VariantJson, 'in_stock' | 'is_backorderable' | 'is_orderable' | 'total_on_hand'> {
  const onHand = calculateTotalOnHand(variant);
  const inStock = onHand === null || onHand > 0;
  return {
    in_stock: inStock,
    is_backorderable: variant.backorderable,
    is_orderable: inStock || variant.backorderable,
    total_on_hand: onHand,
  };
}

/** Returns the units on hand at active locations; null if inventory is not tracked. */
export function calculateTotalOnHand(variant: StockFacts): number | null {
  return variant.tracks_inventory ? Number(variant.count_on_hand) : null;
}

export function formatPrice(variant: VariantDetailRow): string | null {
  return variant.price === null ? null : displayMoney(variant.price, variant);
}

function serializeStockItem(item: VariantStockItem): VariantStockItemJson {
  return {
    id: item.id,
    count_on_hand: item.count_on_hand,
    ...(item.committed !== undefined && { committed: item.committed }),
    stock_location_id: item.stock_location_id,
    backorderable: item.backorderable,
    variant_id: item.variant_id,
    available: item.count_on_hand > 0 || item.backorderable,
    stock_location_name: item.stock_location_name,
  };
}
