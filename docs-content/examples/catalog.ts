import type { z } from 'zod';
import type { AttributeListJson } from '../../src/platform/http/attribute-list';
import type { ImageJson } from '../../src/catalog/images/images.definition';
import type { OptionTypeJson } from '../../src/catalog/option-types/option-types.definition';
import type { OptionValueJson } from '../../src/catalog/option-values/option-values.definition';
import type { ProductPropertyJson } from '../../src/catalog/product-properties/product-properties.definition';
import type { ProductJson } from '../../src/catalog/products/products.schema';
import type { PropertyJson } from '../../src/catalog/properties/properties.definition';
import type { RelationJson } from '../../src/catalog/product-relations/product-relations.definition';
import type { VariantJson, VariantWithStockJson } from '../../src/catalog/variants/variants.schema';
import type { ResourceExamples } from './resource-examples';

export const image: ImageJson = {
  id: 227,
  position: 1,
  attachment_content_type: 'image/png',
  attachment_file_name: 'tote.png',
  type: 'Store::Image',
  attachment_updated_at: '2026-03-01T09:30:00.000Z',
  attachment_width: 480,
  attachment_height: 480,
  alt: 'A navy tote bag',
  viewable_type: 'Store::Variant',
  viewable_id: 226,
  mini_url: '/store/products/227/mini/tote.png?1772357400',
  small_url: '/store/products/227/small/tote.png?1772357400',
  product_url: '/store/products/227/product/tote.png?1772357400',
  large_url: '/store/products/227/large/tote.png?1772357400',
  xlarge_url: '/store/products/227/xlarge/tote.png?1772357400',
  urls: [
    { width: 48, url: '/store/products/227/mini/tote.png?1772357400' },
    { width: 100, url: '/store/products/227/small/tote.png?1772357400' },
    { width: 240, url: '/store/products/227/product/tote.png?1772357400' },
    { width: 480, url: '/store/products/227/large/tote.png?1772357400' },
  ],
};

export const optionValue: OptionValueJson = {
  id: 46,
  name: 'navy',
  presentation: 'navy',
  option_type_name: 'color',
  option_type_id: 11,
  option_type_presentation: 'color',
};

export const optionType: OptionTypeJson = {
  id: 11,
  name: 'color',
  presentation: 'color',
  position: 11,
  option_values: [optionValue],
};

export const variant: VariantJson = {
  id: 227,
  name: 'Harbour Tote',
  sku: '',
  barcode: null,
  price: '24.0',
  weight: '0.0',
  height: null,
  width: null,
  depth: null,
  is_master: false,
  slug: 'harbour-tote',
  description: null,
  track_inventory: true,
  cost_price: null,
  display_price: '$24.00',
  options_text: 'color: navy',
  in_stock: true,
  is_backorderable: true,
  is_orderable: true,
  total_on_hand: 8,
  is_destroyed: false,
  product_id: 52,
  updated_at: '2026-03-01T09:30:00.000Z',
  option_values: [optionValue],
  images: [],
  metadata: {},
  public_metadata: {},
};

export const product: ProductJson = {
  id: 52,
  name: 'Harbour Tote',
  description: null,
  price: '20.0',
  display_price: '$20.00',
  available_on: '2026-01-01T00:00:00.000Z',
  slug: 'harbour-tote',
  meta_description: null,
  meta_keywords: null,
  shipping_category_id: 1,
  taxon_ids: [],
  total_on_hand: 8,
  has_variants: true,
  master: {
    ...variant,
    id: 226,
    price: '20.0',
    display_price: '$20.00',
    is_master: true,
    options_text: '',
    in_stock: false,
    total_on_hand: 0,
    option_values: [],
    images: [image],
  },
  variants: [variant],
  option_types: [optionType],
  product_properties: [],
  classifications: [],
  meta_title: null,
  price_range: { min: '24.0', max: '24.0', display_min: '$24.00', display_max: '$24.00' },
  in_stock: true,
  metadata: { erp_id: '4711' },
  public_metadata: { badge: 'new' },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

export const relation: RelationJson = {
  id: 1,
  product_id: 12,
  related_id: 13,
  kind: 'accessory',
  position: 1,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const productProperty: ProductPropertyJson = {
  id: 1,
  product_id: 1,
  property_id: 1,
  value: '100% organic cotton, 180 g/m²',
  property_name: 'material',
};

export const property: PropertyJson = { id: 1, name: 'material', presentation: 'Material' };

export const variantWithStock: VariantWithStockJson = {
  ...variant,
  committed: 2,
  stock_items: [
    {
      id: 227,
      count_on_hand: 8,
      committed: 2,
      stock_location_id: 1,
      backorderable: true,
      variant_id: 227,
      available: true,
      stock_location_name: 'default',
    },
  ],
};

export const attributeList: z.output<typeof AttributeListJson> = {
  attributes: ['id', 'name', 'presentation'],
  required_attributes: ['name', 'presentation'],
};

export const catalogExamples: ResourceExamples = {
  replies: {
    Product: product,
    Variant: variant,
    VariantWithStock: variantWithStock,
    Image: image,
    OptionType: optionType,
    OptionValue: optionValue,
    Property: property,
    ProductProperty: productProperty,
    Relation: relation,
    AttributeList: attributeList,
  },
  requests: {
    'post /products': {
      product: {
        name: 'Harbour Tote',
        price: '20.00',
        available_on: '2026-01-01T00:00:00Z',
        shipping_category: 'Default',
        variants: [{ price: '24.00', options: [{ name: 'color', value: 'navy' }] }],
      },
    },
    'put /products/:id': { product: { price: '19.00', taxon_ids: [15, 16] } },
    'post /products/:product_id/variants': {
      variant: { price: '24.00', options: [{ name: 'color', value: 'navy' }] },
    },
    'put /products/:product_id/variants/:id': { variant: { price: '22.00' } },
    'put /variants/:id': { variant: { price: '22.00' } },
    'put /products/:product_id/images/:id': { image: { alt: 'A navy tote bag', position: 1 } },
    'put /variants/:variant_id/images/:id': { image: { alt: 'A navy tote bag', position: 1 } },
    'post /option_types': {
      option_type: {
        name: 'size',
        presentation: 'Size',
        option_values_attributes: [{ name: 'small', presentation: 'S' }],
      },
    },
    'put /option_types/:id': { option_type: { presentation: 'Size' } },
    'post /option_values': { option_value: { option_type_id: 1, name: 'small', presentation: 'S' } },
    'post /option_types/:option_type_id/option_values': {
      option_value: { name: 'tiny', presentation: 'XXS' },
    },
    'put /option_values/:id': { option_value: { presentation: 'Small' } },
    'put /option_types/:option_type_id/option_values/:id': { option_value: { presentation: 'Small' } },
    'post /properties': { property: { name: 'finish', presentation: 'Finish' } },
    'put /properties/:id': { property: { presentation: 'Made of' } },
    'post /products/:product_id/product_properties': {
      product_property: { property_name: 'material', value: 'Cotton' },
    },
    'put /products/:product_id/product_properties/:id': { product_property: { value: 'Linen' } },
    'post /products/:product_id/relations': { relation: { related_id: 13, kind: 'accessory' } },
    'put /products/:product_id/relations/:id': { relation: { kind: 'related', position: 1 } },
  },
  parameters: {
    places: {
      '/products/:id': 'stoneware-mug',
      '/products/:product_id': 'stoneware-mug',
      '/products/:product_id/variants/:id': 107,
      '/products/:product_id/images/:id': 103,
      '/products/:product_id/relations/:id': 1,
      '/products/:product_id/product_properties/:id': 'material',
      '/variants/:id': 107,
      '/variants/:variant_id': 107,
      '/variants/:variant_id/images/:id': 104,
      '/option_types/:id': 1,
      '/option_types/:option_type_id': 1,
      '/option_types/:option_type_id/option_values/:id': 1,
      '/option_values/:id': 1,
      '/properties/:id': 1,
    },
    queries: {
      'get /products': { q: { name_cont: 'mug', s: 'name desc' } },
      'post /variants': { product_id: 12 },
    },
    madeBy: {
      'get /products/:product_id/relations/:id': 'post /products/:product_id/relations',
      'put /products/:product_id/relations/:id': 'post /products/:product_id/relations',
      'delete /products/:product_id/relations/:id': 'post /products/:product_id/relations',
    },
  },
};
