/* Made from docs/openapi.json by `npm run docs`: change the server's schemas, not this file. */
import type { Search, SearchValue } from './search.ts';

export type UsersSearch = Search<{
  id: 'number';
  email: 'text';
  created_at: 'time';
}>;
export type UserTokensSearch = Search<{
  id: 'number';
  name: 'text';
  created_at: 'time';
  revoked_at: 'time';
}>;
export type ProductsSearch = Search<{
  id: 'number';
  name: 'text';
  description: 'text';
  available_on: 'time';
  discontinue_on: 'time';
  slug: 'text';
  meta_keywords: 'text';
  shipping_category_id: 'number';
  tax_category_id: 'number';
  created_at: 'time';
  updated_at: 'time';
  deleted_at: 'time';
  master_id: 'number';
  master_sku: 'text';
  master_weight: 'number';
  master_height: 'number';
  master_width: 'number';
  master_depth: 'number';
  master_price: 'number';
  master_is_master: 'flag';
  master_position: 'number';
  master_product_id: 'number';
  master_track_inventory: 'flag';
  master_created_at: 'time';
  master_updated_at: 'time';
  master_deleted_at: 'time';
  master_cost_price: 'number';
  variants_id: 'number';
  variants_sku: 'text';
  variants_weight: 'number';
  variants_height: 'number';
  variants_width: 'number';
  variants_depth: 'number';
  variants_price: 'number';
  variants_is_master: 'flag';
  variants_position: 'number';
  variants_product_id: 'number';
  variants_track_inventory: 'flag';
  variants_created_at: 'time';
  variants_updated_at: 'time';
  variants_deleted_at: 'time';
  variants_cost_price: 'number';
  variants_including_master_id: 'number';
  variants_including_master_sku: 'text';
  variants_including_master_weight: 'number';
  variants_including_master_height: 'number';
  variants_including_master_width: 'number';
  variants_including_master_depth: 'number';
  variants_including_master_price: 'number';
  variants_including_master_is_master: 'flag';
  variants_including_master_position: 'number';
  variants_including_master_product_id: 'number';
  variants_including_master_track_inventory: 'flag';
  variants_including_master_created_at: 'time';
  variants_including_master_updated_at: 'time';
  variants_including_master_deleted_at: 'time';
  variants_including_master_cost_price: 'number';
  shipping_category_name: 'text';
  classifications_taxon_id: 'number';
  taxons_id: 'number';
  taxons_name: 'text';
  sku: 'text';
  price: 'number';
}>;
export type ProductVariantsSearch = Search<{
  id: 'number';
  sku: 'text';
  weight: 'number';
  height: 'number';
  width: 'number';
  depth: 'number';
  price: 'number';
  is_master: 'flag';
  position: 'number';
  product_id: 'number';
  track_inventory: 'flag';
  created_at: 'time';
  updated_at: 'time';
  deleted_at: 'time';
  cost_price: 'number';
  product_name: 'text';
  product_description: 'text';
  product_available_on: 'time';
  product_discontinue_on: 'time';
  product_slug: 'text';
  product_meta_keywords: 'text';
  product_shipping_category_id: 'number';
  product_tax_category_id: 'number';
  product_created_at: 'time';
  product_updated_at: 'time';
  product_deleted_at: 'time';
  product_master_id: 'number';
  product_master_sku: 'text';
  product_master_weight: 'number';
  product_master_height: 'number';
  product_master_width: 'number';
  product_master_depth: 'number';
  product_master_price: 'number';
  product_master_is_master: 'flag';
  product_master_position: 'number';
  product_master_product_id: 'number';
  product_master_track_inventory: 'flag';
  product_master_created_at: 'time';
  product_master_updated_at: 'time';
  product_master_deleted_at: 'time';
  product_master_cost_price: 'number';
  option_values_id: 'number';
  option_values_name: 'text';
  option_values_presentation: 'text';
  option_values_position: 'number';
  option_values_option_type_id: 'number';
  prices_amount: 'number';
  prices_currency: 'text';
  default_price_amount: 'number';
  default_price_currency: 'text';
  stock_items_count_on_hand: 'number';
  stock_items_stock_location_id: 'number';
  product_sku: 'text';
  product_price: 'number';
}>;
export type ProductImagesSearch = Search<{
  id: 'number';
  alt: 'text';
  position: 'number';
}>;
export type OptionTypesSearch = Search<{
  id: 'number';
  name: 'text';
  presentation: 'text';
  position: 'number';
  option_values_name: 'text';
}>;
export type OptionValuesSearch = Search<{
  id: 'number';
  name: 'text';
  presentation: 'text';
  position: 'number';
  option_type_id: 'number';
  option_type_name: 'text';
  option_type_presentation: 'text';
}>;
export type TaxonomiesSearch = Search<{
  id: 'number';
  name: 'text';
  position: 'number';
  root_name: 'text';
  root_permalink: 'text';
}>;
export type TaxonomyTaxonsSearch = Search<{
  id: 'number';
  name: 'text';
  permalink: 'text';
  parent_id: 'number';
  taxonomy_id: 'number';
  position: 'number';
  taxonomy_name: 'text';
}>;
export type PropertiesSearch = Search<{
  id: 'number';
  name: 'text';
  presentation: 'text';
}>;
export type ProductProductPropertiesSearch = Search<{
  id: 'number';
  value: 'text';
  position: 'number';
  property_id: 'number';
  property_name: 'text';
  property_presentation: 'text';
}>;
export type CountriesSearch = Search<{
  id: 'number';
  name: 'text';
  iso_name: 'text';
  iso: 'text';
  iso3: 'text';
  numcode: 'number';
  states_name: 'text';
}>;
export type StatesSearch = Search<{
  id: 'number';
  name: 'text';
  abbr: 'text';
  country_id: 'number';
  country_name: 'text';
  country_iso: 'text';
}>;
export type ZonesSearch = Search<{
  id: 'number';
  name: 'text';
  description: 'text';
}>;
export type TaxCategoriesSearch = Search<{
  id: 'number';
  name: 'text';
  description: 'text';
  tax_code: 'text';
  is_default: 'flag';
}>;
export type TaxRatesSearch = Search<{
  id: 'number';
  name: 'text';
  amount: 'number';
  zone_id: 'number';
  tax_category_id: 'number';
  included_in_price: 'flag';
  zone_name: 'text';
  tax_category_name: 'text';
}>;
export type ShippingCategoriesSearch = Search<{
  id: 'number';
  name: 'text';
}>;
export type ShippingMethodsSearch = Search<{
  id: 'number';
  name: 'text';
  code: 'text';
  admin_name: 'text';
  display_on: 'text';
  tax_category_id: 'number';
  calculator_type: 'text';
  zones_id: 'number';
  zones_name: 'text';
}>;
export type PaymentMethodsSearch = Search<{
  id: 'number';
  name: 'text';
  description: 'text';
  gateway: 'text';
  method_type: 'text';
  display_on: 'text';
  active: 'flag';
  position: 'number';
}>;
export type ReturnAuthorizationReasonsSearch = Search<{
  id: 'number';
  name: 'text';
  active: 'flag';
  mutable: 'flag';
}>;
export type StockLocationsSearch = Search<{
  id: 'number';
  name: 'text';
  active: 'flag';
  city: 'text';
  zipcode: 'text';
  country_id: 'number';
  state_id: 'number';
}>;
export type StockLocationStockItemsSearch = Search<{
  id: 'number';
  count_on_hand: 'number';
  backorderable: 'flag';
  variant_id: 'number';
  stock_location_id: 'number';
  variant_sku: 'text';
  variant_product_id: 'number';
  variant_product_name: 'text';
}>;
export type StockLocationStockMovementsSearch = Search<{
  id: 'number';
  quantity: 'number';
  stock_item_id: 'number';
  action: 'text';
  created_at: 'time';
  stock_item_variant_id: 'number';
}>;
export type UserCreditCardsSearch = Search<{
  id: 'number';
  cc_type: 'text';
  name: 'text';
  month: 'text';
  year: 'text';
  payment_method_id: 'number';
}>;
export type PaymentsSearch = Search<{
  id: 'number';
  number: 'text';
  amount: 'number';
  state: 'text';
  response_code: 'text';
  avs_response: 'text';
  payment_method_id: 'number';
  created_at: 'time';
  updated_at: 'time';
  order_number: 'text';
  order_email: 'text';
  order_completed_at: 'time';
  payment_method_name: 'text';
}>;
export type getOrderHistorySearch = Search<{
  id: 'number';
  subject_type: 'text';
  subject_id: 'number';
  from_state: 'text';
  to_state: 'text';
  reason: 'text';
  created_at: 'time';
}>;
export type OrdersSearch = Search<{
  id: 'number';
  number: 'text';
  email: 'text';
  state: 'text';
  payment_state: 'text';
  shipment_state: 'text';
  total: 'number';
  item_total: 'number';
  completed_at: 'time';
  created_at: 'time';
  updated_at: 'time';
  considered_risky: 'flag';
  user_id: 'number';
  channel: 'text';
  currency: 'text';
  special_instructions: 'text';
  user_email: 'text';
  user_name: 'text';
  bill_address_firstname: 'text';
  bill_address_lastname: 'text';
  bill_address_company: 'text';
  ship_address_firstname: 'text';
  ship_address_lastname: 'text';
  ship_address_company: 'text';
  line_items_variant_id: 'number';
  shipments_number: 'text';
  shipments_state: 'text';
  promotions_id: 'number';
  promotions_code: 'text';
}>;
export type PromotionsSearch = Search<{
  id: 'number';
  name: 'text';
  description: 'text';
  code: 'text';
  path: 'text';
  type: 'text';
  starts_at: 'time';
  expires_at: 'time';
  usage_limit: 'number';
  advertise: 'flag';
  created_at: 'time';
  updated_at: 'time';
}>;
export type OwnShipmentsSearch = Search<{
  id: 'number';
  number: 'text';
  state: 'text';
  tracking: 'text';
  cost: 'number';
  shipped_at: 'time';
  created_at: 'time';
  order_number: 'text';
  order_completed_at: 'time';
  order_state: 'text';
}>;
export type OrderReturnAuthorizationsSearch = Search<{
  id: 'number';
  number: 'text';
  state: 'text';
  memo: 'text';
  amount: 'number';
  created_at: 'time';
  order_number: 'text';
}>;

export interface paths {
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, by id
         * @description **Admins only.**
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Sign up
         * @description Open to everybody.
         *
         *     The reply carries the token to act as the new user. It is shown only here.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a user has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The user who asks
         * @description **Signed in users only.**
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user, to themselves and to admins
         * @description **The user in the path, and admins.** To others that user does not exist.
         */
        get: operations["getUser"];
        /**
         * Change a user
         * @description **The user in the path, and admins.** To others that user does not exist.
         *
         *     A new password revokes every other token of the user.
         */
        put: operations["updateUser"];
        post?: never;
        /**
         * Delete a user who has completed no order and is not the only admin
         * @description **The user in the path, and admins.** To others that user does not exist.
         *
         *     The example is of what the example of `POST /api/v1/users` makes.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API tokens of a user, newest first
         * @description **The user in the path, and admins.** To others that user does not exist.
         *
         *     What they are called and whether they were revoked; a token itself is shown only when it is made.
         */
        get: operations["listUserTokens"];
        put?: never;
        /**
         * Make one more API token for a user
         * @description **The user in the path, and admins.** To others that user does not exist.
         */
        post: operations["createUserToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API token
         * @description **The user in the path, and admins.** To others that user does not exist.
         *
         *     The example is of what the example of `POST /api/v1/users/{id}/tokens` makes.
         */
        delete: operations["deleteUserToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Open to everybody.
         *
         *     After too many wrong passwords the answer is 429; repeat after `Retry-After` seconds.
         *
         *     The example is of what the example of `POST /api/v1/users` makes.
         */
        post: operations["createSession"];
        /**
         * Sign out: revoke the token this request carries
         * @description **Signed in users only.**
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stores, by id; all of them
         * @description **Admins only.**
         */
        get: operations["listStores"];
        put?: never;
        /**
         * Create a store; the first one is the default
         * @description **Admins only.**
         */
        post: operations["createStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stores/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a store; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stores/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One store with its settings
         * @description **Admins only.**
         */
        get: operations["getStore"];
        /**
         * Update a store, or make it the default
         * @description **Admins only.**
         */
        put: operations["updateStore"];
        post?: never;
        /**
         * Delete a store that is not the default
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/stores` makes.
         */
        delete: operations["deleteStore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a storefront presets
         * @description Open to everybody.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How amounts in the store's currency are written
         * @description Open to everybody.
         */
        get: operations["getConfigMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Products
         * @description Open to everybody.
         *
         *     Shoppers see what is on sale now; admins also see what will be.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product, with variants, options, properties and taxons if you like
         * @description **Admins only.**
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a product has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One product
         * @description Open to everybody.
         */
        get: operations["getProduct"];
        /**
         * Change a product
         * @description **Admins only.**
         */
        put: operations["updateProduct"];
        post?: never;
        /**
         * Delete a product with its variants; the records stay
         * @description **Admins only.**
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The variants of a product, its master among them
         * @description Open to everybody.
         */
        get: operations["listProductVariants"];
        put?: never;
        /**
         * Add a variant to a product
         * @description **Admins only.**
         */
        post: operations["createProductVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/variants/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a variant has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewProductVariant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variant of a product
         * @description Open to everybody.
         */
        get: operations["getProductVariant"];
        /**
         * Change a variant
         * @description **Admins only.**
         */
        put: operations["updateProductVariant"];
        post?: never;
        /**
         * Delete a variant; the record stays
         * @description **Admins only.**
         */
        delete: operations["deleteProductVariant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Variants of all products, masters among them
         * @description Open to everybody.
         */
        get: operations["listVariants"];
        put?: never;
        /**
         * Add a variant to the product `product_id`
         * @description **Admins only.**
         */
        post: operations["createVariant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a variant has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewVariant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One variant
         * @description Open to everybody.
         */
        get: operations["getVariant"];
        /**
         * Change a variant
         * @description **Admins only.**
         */
        put: operations["updateVariant"];
        post?: never;
        /**
         * Delete a variant; the record stays
         * @description **Admins only.**
         */
        delete: operations["deleteVariant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Images of a product, by position
         * @description Open to everybody.
         *
         *     The whole list. A product's images are the master's and then those of each variant.
         */
        get: operations["listProductImages"];
        put?: never;
        /**
         * Add an image to a product
         * @description **Admins only.**
         *
         *     JPEG, PNG or GIF of at most 10 MiB and 40 megapixels, told by its bytes. `image[viewable_id]` names the variant it belongs to: the master, or the variant of the path, unless told.
         */
        post: operations["createProductImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/images/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an image has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewProductImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One image of a product
         * @description Open to everybody.
         */
        get: operations["getProductImage"];
        /**
         * Change an image of a product, or its picture
         * @description **Admins only.**
         */
        put: operations["updateProductImage"];
        post?: never;
        /**
         * Delete an image of a product and its files
         * @description **Admins only.**
         */
        delete: operations["deleteProductImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants/{variant_id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Images of a variant, by position
         * @description Open to everybody.
         *
         *     The whole list. A product's images are the master's and then those of each variant.
         */
        get: operations["listVariantImages"];
        put?: never;
        /**
         * Add an image to a variant
         * @description **Admins only.**
         *
         *     JPEG, PNG or GIF of at most 10 MiB and 40 megapixels, told by its bytes. `image[viewable_id]` names the variant it belongs to: the master, or the variant of the path, unless told.
         */
        post: operations["createVariantImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants/{variant_id}/images/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an image has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewVariantImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/variants/{variant_id}/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One image of a variant
         * @description Open to everybody.
         */
        get: operations["getVariantImage"];
        /**
         * Change an image of a variant, or its picture
         * @description **Admins only.**
         */
        put: operations["updateVariantImage"];
        post?: never;
        /**
         * Delete an image of a variant and its files
         * @description **Admins only.**
         */
        delete: operations["deleteVariantImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Option types with their values, by position
         * @description Open to everybody.
         *
         *     A bare array; the whole list unless `page` or `per_page` is sent.
         */
        get: operations["listOptionTypes"];
        put?: never;
        /**
         * Create an option type, optionally with values
         * @description **Admins only.**
         */
        post: operations["createOptionType"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of an option type; required ones are marked
         * @description Open to everybody.
         */
        get: operations["describeNewOptionType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One option type with its values
         * @description Open to everybody.
         */
        get: operations["getOptionType"];
        /**
         * Update an option type
         * @description **Admins only.**
         */
        put: operations["updateOptionType"];
        post?: never;
        /**
         * Delete an option type with its values
         * @description **Admins only.**
         */
        delete: operations["deleteOptionType"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Option values, by position
         * @description Open to everybody.
         *
         *     A bare array; the whole list unless `page` or `per_page` is sent.
         */
        get: operations["listOptionValues"];
        put?: never;
        /**
         * Create an option value
         * @description **Admins only.**
         */
        post: operations["createOptionValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_values/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an option value has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewOptionValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_values/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One option value
         * @description Open to everybody.
         */
        get: operations["getOptionValue"];
        /**
         * Change an option value
         * @description **Admins only.**
         */
        put: operations["updateOptionValue"];
        post?: never;
        /**
         * Delete an option value
         * @description **Admins only.**
         */
        delete: operations["deleteOptionValue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types/{option_type_id}/option_values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values of an option type, by position
         * @description Open to everybody.
         */
        get: operations["listOptionTypeOptionValues"];
        put?: never;
        /**
         * Create a value of an option type
         * @description **Admins only.**
         */
        post: operations["createOptionTypeOptionValue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types/{option_type_id}/option_values/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an option value has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewOptionTypeOptionValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/option_types/{option_type_id}/option_values/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One value of an option type
         * @description Open to everybody.
         */
        get: operations["getOptionTypeOptionValue"];
        /**
         * Change a value of an option type
         * @description **Admins only.**
         */
        put: operations["updateOptionTypeOptionValue"];
        post?: never;
        /**
         * Delete a value of an option type
         * @description **Admins only.**
         */
        delete: operations["deleteOptionTypeOptionValue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Taxonomies by name, with their roots and the roots' children
         * @description Open to everybody.
         */
        get: operations["listTaxonomies"];
        put?: never;
        /**
         * Create a taxonomy and its root taxon
         * @description **Admins only.**
         */
        post: operations["createTaxonomy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a taxonomy has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewTaxonomy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One taxonomy with its root and the root's children
         * @description Open to everybody.
         */
        get: operations["getTaxonomy"];
        /**
         * Rename a taxonomy and its root taxon
         * @description **Admins only.**
         */
        put: operations["updateTaxonomy"];
        post?: never;
        /**
         * Delete a taxonomy with its tree
         * @description **Admins only.**
         */
        delete: operations["deleteTaxonomy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{id}/jstree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The root of a taxonomy, for a tree editor
         * @description Open to everybody.
         */
        get: operations["getTaxonomyJstree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{taxonomy_id}/taxons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The children of a taxonomy's root, in tree order, with all below them
         * @description Open to everybody.
         */
        get: operations["listTaxonomyTaxons"];
        put?: never;
        /**
         * Create a taxon below the root or another parent
         * @description **Admins only.**
         */
        post: operations["createTaxonomyTaxon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{taxonomy_id}/taxons/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a taxon has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewTaxonomyTaxon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{taxonomy_id}/taxons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One taxon with its direct children
         * @description Open to everybody.
         */
        get: operations["getTaxonomyTaxon"];
        /**
         * Change, move or rename a taxon
         * @description **Admins only.**
         *
         *     `parent_id` and `child_index` (0-based) move it with all below it. Moving it and giving it a `permalink` rewrites the permalinks of all below it; renaming it leaves permalinks alone.
         */
        put: operations["updateTaxonomyTaxon"];
        post?: never;
        /**
         * Delete a taxon with all below it
         * @description **Admins only.**
         */
        delete: operations["deleteTaxonomyTaxon"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxonomies/{taxonomy_id}/taxons/{id}/jstree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The direct children of a taxon, for a tree editor
         * @description Open to everybody.
         */
        get: operations["getTaxonomyTaxonJstree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Taxons of all taxonomies, in tree order, with all below them
         * @description Open to everybody.
         */
        get: operations["listTaxons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/taxons/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The products classified under exactly this taxon, in their order there
         * @description Open to everybody.
         */
        get: operations["listTaxonProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/classifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move a product within a taxon
         * @description **Admins only.**
         *
         *     `position` counts from 0; the `position` of a classification in a product counts from 1.
         */
        put: operations["updateClassification"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Properties products may have
         * @description Open to everybody.
         */
        get: operations["listProperties"];
        put?: never;
        /**
         * Create a property
         * @description **Admins only.**
         */
        post: operations["createProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a property; required ones are marked
         * @description Open to everybody.
         */
        get: operations["describeNewProperty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One property, by id or name
         * @description Open to everybody.
         */
        get: operations["getProperty"];
        /**
         * Update a property
         * @description **Admins only.**
         */
        put: operations["updateProperty"];
        post?: never;
        /**
         * Delete a property, and the values products have of it
         * @description **Admins only.**
         */
        delete: operations["deleteProperty"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/product_properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A product's properties, by position
         * @description Open to everybody.
         */
        get: operations["listProductProductProperties"];
        put?: never;
        /**
         * Give a product a property
         * @description **Admins only.** Below a record the caller cannot see it is 404.
         *
         *     The property of that name is made when there is none. When the product has it already, its value is replaced.
         */
        post: operations["createProductProductProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/product_properties/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a product property has, and needs
         * @description Open to everybody.
         */
        get: operations["describeNewProductProductProperty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{product_id}/product_properties/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One property of a product, by id or property name
         * @description Open to everybody.
         */
        get: operations["getProductProductProperty"];
        /**
         * Change a product's property
         * @description **Admins only.** Below a record the caller cannot see it is 404.
         */
        put: operations["updateProductProductProperty"];
        post?: never;
        /**
         * Take a property from a product
         * @description **Admins only.** Below a record the caller cannot see it is 404.
         */
        delete: operations["deleteProductProductProperty"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Countries, by name
         * @description Open to everybody.
         */
        get: operations["listCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One country with its states
         * @description Open to everybody.
         */
        get: operations["getCountry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * States of all countries, by name
         * @description Open to everybody.
         *
         *     The whole list, unless `page` or `per_page` is sent: then one page with its counts.
         */
        get: operations["listStates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/states/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One state
         * @description Open to everybody.
         */
        get: operations["getState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries/{country_id}/states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * States of a country, by name
         * @description Open to everybody.
         */
        get: operations["listCountryStates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/countries/{country_id}/states/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One state of a country
         * @description Open to everybody.
         */
        get: operations["getCountryState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Zones with their members, by name
         * @description Open to everybody.
         */
        get: operations["listZones"];
        put?: never;
        /**
         * Create a zone of countries or of states
         * @description **Admins only.**
         */
        post: operations["createZone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/zones/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a zone; required ones are marked
         * @description Open to everybody.
         */
        get: operations["describeNewZone"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/zones/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One zone with its members
         * @description Open to everybody.
         */
        get: operations["getZone"];
        /**
         * Update a zone; members that are sent replace those it has
         * @description **Admins only.**
         */
        put: operations["updateZone"];
        post?: never;
        /**
         * Delete a zone that no tax rate uses
         * @description **Admins only.**
         */
        delete: operations["deleteZone"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Kinds of products that are taxed alike
         * @description **Admins only.**
         */
        get: operations["listTaxCategories"];
        put?: never;
        /**
         * Create a tax category
         * @description **Admins only.**
         */
        post: operations["createTaxCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_categories/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a tax category; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewTaxCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One tax category
         * @description **Admins only.**
         */
        get: operations["getTaxCategory"];
        /**
         * Update a tax category, or make it the default
         * @description **Admins only.**
         */
        put: operations["updateTaxCategory"];
        post?: never;
        /**
         * Delete a tax category that is not in use
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/tax_categories` makes.
         */
        delete: operations["deleteTaxCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is charged where on which kind of product
         * @description **Admins only.**
         */
        get: operations["listTaxRates"];
        put?: never;
        /**
         * Create a tax rate
         * @description **Admins only.**
         */
        post: operations["createTaxRate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_rates/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a tax rate; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewTaxRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tax_rates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One tax rate
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/tax_rates` makes.
         */
        get: operations["getTaxRate"];
        /**
         * Update a tax rate; completed orders keep what they were charged
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/tax_rates` makes.
         */
        put: operations["updateTaxRate"];
        post?: never;
        /**
         * Stop charging a tax rate
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/tax_rates` makes.
         */
        delete: operations["deleteTaxRate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Kinds of products that are shipped alike
         * @description Open to everybody.
         */
        get: operations["listShippingCategories"];
        put?: never;
        /**
         * Create a shipping category
         * @description **Admins only.**
         */
        post: operations["createShippingCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_categories/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a shipping category; required ones are marked
         * @description Open to everybody.
         */
        get: operations["describeNewShippingCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One shipping category
         * @description Open to everybody.
         */
        get: operations["getShippingCategory"];
        /**
         * Rename a shipping category
         * @description **Admins only.**
         */
        put: operations["updateShippingCategory"];
        post?: never;
        /**
         * Delete a shipping category without products
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/shipping_categories` makes.
         */
        delete: operations["deleteShippingCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shipping methods with their zones, categories and costs
         * @description **Admins only.**
         */
        get: operations["listShippingMethods"];
        put?: never;
        /**
         * Create a shipping method
         * @description **Admins only.**
         */
        post: operations["createShippingMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_methods/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a shipping method; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewShippingMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipping_methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One shipping method
         * @description **Admins only.**
         */
        get: operations["getShippingMethod"];
        /**
         * Update a shipping method; zones and categories that are sent replace those it has
         * @description **Admins only.**
         *
         *     Preferences left out stay as they are. Rates already offered keep their cost.
         */
        put: operations["updateShippingMethod"];
        post?: never;
        /**
         * Stop offering a shipping method
         * @description **Admins only.**
         */
        delete: operations["deleteShippingMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment_methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payment methods, by position
         * @description **Admins only.**
         */
        get: operations["listPaymentMethods"];
        put?: never;
        /**
         * Create a payment method
         * @description **Admins only.**
         */
        post: operations["createPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment_methods/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a payment method; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewPaymentMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment_methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payment method
         * @description **Admins only.**
         */
        get: operations["getPaymentMethod"];
        /**
         * Update a payment method, or its credentials
         * @description **Admins only.**
         */
        put: operations["updatePaymentMethod"];
        post?: never;
        /**
         * Stop offering a payment method; payments made with it can still be changed
         * @description **Admins only.**
         */
        delete: operations["deletePaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/return_authorization_reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why customers return items
         * @description **Admins only.**
         */
        get: operations["listReturnAuthorizationReasons"];
        put?: never;
        /**
         * Create a return authorization reason
         * @description **Admins only.**
         */
        post: operations["createReturnAuthorizationReason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/return_authorization_reasons/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a return authorization reason; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewReturnAuthorizationReason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/return_authorization_reasons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One return authorization reason
         * @description **Admins only.**
         */
        get: operations["getReturnAuthorizationReason"];
        /**
         * Update a reason, if it is mutable
         * @description **Admins only.**
         */
        put: operations["updateReturnAuthorizationReason"];
        post?: never;
        /**
         * Delete a mutable reason that no return has used
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/return_authorization_reasons` makes.
         */
        delete: operations["deleteReturnAuthorizationReason"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock locations, by name
         * @description **Admins only.**
         */
        get: operations["listStockLocations"];
        put?: never;
        /**
         * Open a stock location
         * @description **Admins only.**
         *
         *     Every variant gets an empty stock item there, unless `propagate_all_variants` is false.
         */
        post: operations["createStockLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One stock location
         * @description **Admins only.**
         */
        get: operations["getStockLocation"];
        /**
         * Change a stock location
         * @description **Admins only.**
         */
        put: operations["updateStockLocation"];
        post?: never;
        /**
         * Close a stock location
         * @description **Admins only.**
         *
         *     Its stock items go too. Refused while a shipment of a completed order has yet to leave from it.
         *
         *     The example is of what the example of `POST /api/v1/stock_locations` makes.
         */
        delete: operations["deleteStockLocation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations/{stock_location_id}/stock_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock items of a location
         * @description **Admins only.**
         */
        get: operations["listStockLocationStockItems"];
        put?: never;
        /**
         * Put a variant on the shelves of a location
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/stock_locations` makes.
         */
        post: operations["createStockLocationStockItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations/{stock_location_id}/stock_items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One stock item
         * @description **Admins only.**
         */
        get: operations["getStockLocationStockItem"];
        /**
         * Adjust the count of a stock item, or set it
         * @description **Admins only.**
         *
         *     `count_on_hand` is added to the count; with `force` it replaces it. Arriving goods fill backorders, the order completed first before the others.
         */
        put: operations["updateStockLocationStockItem"];
        post?: never;
        /**
         * Take a stock item off the shelves
         * @description **Admins only.**
         */
        delete: operations["deleteStockLocationStockItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stock items of the location that `stock_location_id` names
         * @description **Admins only.**
         */
        get: operations["listStockItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Adjust the count of a stock item, or set it
         * @description **Admins only.**
         *
         *     `count_on_hand` is added to the count; with `force` it replaces it. Arriving goods fill backorders, the order completed first before the others.
         */
        put: operations["updateStockItem"];
        post?: never;
        /**
         * Take a stock item off the shelves
         * @description **Admins only.**
         */
        delete: operations["deleteStockItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations/{stock_location_id}/stock_movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Movements of a location, oldest first
         * @description **Admins only.**
         */
        get: operations["listStockLocationStockMovements"];
        put?: never;
        /**
         * Record goods that came or went
         * @description **Admins only.**
         *
         *     The count of the stock item changes by `quantity`. Arriving goods fill backorders, the order completed first before the others.
         */
        post: operations["createStockLocationStockMovement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stock_locations/{stock_location_id}/stock_movements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One movement
         * @description **Admins only.**
         */
        get: operations["getStockLocationStockMovement"];
        /**
         * Correct the quantity of a movement
         * @description **Admins only.**
         *
         *     The count changes by the difference, so that it stays the sum of its movements.
         */
        put: operations["updateStockLocationStockMovement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/credit_cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Saved cards of a user, by id
         * @description **The user in the path, and admins.** To others that user does not exist.
         *
         *     Those the payment gateway keeps, so that `existing_card` can name them.
         */
        get: operations["listUserCreditCards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments of all orders, oldest first
         * @description **Admins only.**
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments of an order, oldest first
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        get: operations["listOrderPayments"];
        put?: never;
        /**
         * Enter a payment
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Nothing is charged yet; payments entered before that nobody was asked for become `invalid`. A card comes as `source_attributes`, or as the id of a saved one in `existing_card`.
         */
        post: operations["createOrderPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a payment has, and what the caller may pay with
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        get: operations["describeNewOrderPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One payment of an order
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        get: operations["getOrderPayment"];
        /**
         * Change a payment
         * @description **Admins only.**
         *
         *     403 unless its state is `checkout` or `pending`.
         */
        put: operations["updateOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Reserve the amount at the gateway
         * @description **Admins only.**
         */
        put: operations["authorizeOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take what was authorized
         * @description **Admins only.**
         *
         *     `amount` takes only a part of it; the rest becomes a pending payment of its own.
         */
        put: operations["captureOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}/purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Authorize and capture in one
         * @description **Admins only.**
         */
        put: operations["purchaseOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Call the payment off at the gateway
         * @description **Admins only.**
         */
        put: operations["voidOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/payments/{id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give money back
         * @description **Admins only.**
         *
         *     `amount`, or without it all that can be given back.
         */
        put: operations["creditOrderPayment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to an order, oldest first
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Every change of state of the order, its payments, shipments and returns.
         */
        get: operations["getOrderHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An order's bill or ship address
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Any other address is 401.
         */
        get: operations["getOrderAddress"];
        /**
         * Change an order's bill or ship address
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Another country, state or postal code of the ship address begins an open checkout again.
         */
        put: operations["updateOrderAddress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders, without their parts
         * @description **Admins only.**
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Open an order
         * @description Open to everybody.
         *
         *     Guests and customers alike; without a body it is an empty cart. With `completed_at` an admin records what was sold elsewhere: it is complete at once.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's own orders
         * @description **Signed in users only.**
         *
         *     In every state; completed ones first, the newest before the others.
         */
        get: operations["listOwnOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's newest open order
         * @description **Signed in users only.**
         *
         *     204 when there is none.
         */
        get: operations["getCurrentOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One order with all its parts
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        get: operations["getOrder"];
        /**
         * Change an order
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Takes no step of the checkout, in whatever state the order is. Changed lines of an order in checkout begin it again; those of a completed order move stock.
         */
        put: operations["updateOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/empty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take everything out of an order
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     A complete order stays complete, and its goods go back, unless some have shipped.
         */
        put: operations["emptyOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Cancel a complete order
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Possible until something ships. The goods go back, and its payments are voided.
         */
        put: operations["cancelOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Approve a complete order
         * @description **Admins only.**
         *
         *     It is not considered risky any more.
         */
        put: operations["approveOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/apply_coupon_code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Apply a coupon code
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     The example is of what the example of `POST /api/v1/promotions` makes.
         */
        put: operations["applyCouponCodeOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/remove_coupon_code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take a coupon code off an open order, and be told in words
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     The example is of what the example of `PUT /api/v1/orders/{number}/apply_coupon_code` makes.
         */
        put: operations["removeCouponCodeOrder"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/coupon_codes/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a coupon code off an open order
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     In any letter case; 404 when it was not applied.
         *
         *     The example is of what the example of `PUT /api/v1/orders/{number}/apply_coupon_code` makes.
         */
        delete: operations["deleteOrderCouponCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/line_items/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a line item has
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        get: operations["describeNewOrderLineItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/line_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add goods to an order
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Adds to the line of that variant where there is one.
         */
        post: operations["createOrderLineItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/line_items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change how many of the goods an order has
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Quantity 0 removes the line, and is answered with 204.
         */
        put: operations["updateOrderLineItem"];
        post?: never;
        /**
         * Take a line out of an order
         * @description **The order's owner, whoever presents its token, and admins.**
         */
        delete: operations["deleteOrderLineItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checkouts/{number}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * One step forward
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     cart, address, delivery, payment, confirm, complete; what is missing for the step is told under `errors`.
         */
        put: operations["nextCheckout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checkouts/{number}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Steps forward as far as they go
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     Always answers the order where it stopped; it may be complete then.
         */
        put: operations["advanceCheckout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checkouts/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Apply addresses, rates or a payment, then take one step
         * @description **The order's owner, whoever presents its token, and admins.**
         *
         *     When the step is refused, what was applied stays. A completed order is answered as it is.
         */
        put: operations["updateCheckout"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Promotions with their rules and actions
         * @description **Admins only.**
         */
        get: operations["listPromotions"];
        put?: never;
        /**
         * Create a promotion with its rules and actions
         * @description **Admins only.**
         *
         *     With a code shoppers enter it; without one every order that qualifies gets it. The best discount per line counts, and likewise the best for the whole order and the best on shipping.
         */
        post: operations["createPromotion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/promotions/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attributes of a promotion; required ones are marked
         * @description **Admins only.**
         */
        get: operations["describeNewPromotion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/promotions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One promotion, by id or code
         * @description **Admins only.**
         *
         *     The example is of what the example of `POST /api/v1/promotions` makes.
         */
        get: operations["getPromotion"];
        /**
         * Update a promotion
         * @description **Admins only.**
         *
         *     Open orders follow with their next change; completed orders keep their discounts.
         *
         *     The example is of what the example of `POST /api/v1/promotions` makes.
         */
        put: operations["updatePromotion"];
        post?: never;
        /**
         * Delete a promotion
         * @description **Admins only.**
         *
         *     Open orders lose it with their next change; completed orders keep their discounts.
         *
         *     The example is of what the example of `POST /api/v1/promotions` makes.
         */
        delete: operations["deletePromotion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shipments of the caller's orders, the newest first
         * @description **Signed in users only.**
         */
        get: operations["listOwnShipments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a shipment by hand
         * @description **Admins only.**
         *
         *     With goods of one variant, which the order gets more of. `order_id` may stand inside `shipment`, as may the others.
         */
        post: operations["createShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/transfer_to_location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move goods into a new shipment at another location
         * @description **Admins only.**
         */
        post: operations["transferToLocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/transfer_to_shipment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move goods into another shipment of the order
         * @description **Admins only.**
         */
        post: operations["transferToShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change tracking, number, location or rate
         * @description **Admins only.**
         */
        put: operations["updateShipment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/{number}/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Ask that a shipment be ready
         * @description **Admins only.**
         *
         *     It is once its order is paid and nothing is backordered; attributes may be changed along.
         */
        put: operations["readyShipment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/{number}/ship": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Ship a ready shipment
         * @description **Admins only.**
         *
         *     May be repeated. Where the store captures on dispatch, what was authorized for it is captured first.
         */
        put: operations["shipShipment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/{number}/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put goods into a shipment
         * @description **Admins only.**
         *
         *     The order gets more of them; 1 unless told.
         */
        put: operations["addToShipment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/shipments/{number}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Take goods out of a shipment
         * @description **Admins only.**
         *
         *     The order loses them; all of the variant unless told. An empty shipment is deleted.
         */
        put: operations["removeFromShipment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns of an order
         * @description **Admins only.**
         */
        get: operations["listOrderReturnAuthorizations"];
        put?: never;
        /**
         * Authorize a return
         * @description **Admins only.**
         *
         *     Of an order something of which has shipped; the goods are named by `add`.
         */
        post: operations["createOrderReturnAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a return has, and the reasons to choose from
         * @description **Admins only.**
         */
        get: operations["describeNewOrderReturnAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One return
         * @description **Admins only.**
         */
        get: operations["getOrderReturnAuthorization"];
        /**
         * Change a return that is not received yet
         * @description **Admins only.**
         */
        put: operations["updateOrderReturnAuthorization"];
        post?: never;
        /**
         * Delete a return that was not received
         * @description **Admins only.**
         */
        delete: operations["deleteOrderReturnAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations/{id}/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say how many of a variant come back
         * @description **Admins only.**
         *
         *     Sets the number, 1 unless told: fewer than before takes the others off the return.
         */
        put: operations["addToOrderReturnAuthorization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations/{id}/receive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Receive the goods
         * @description **Admins only.**
         *
         *     They go back into stock, and the order is credited. An admin pays back by crediting a payment.
         */
        put: operations["receiveOrderReturnAuthorization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{number}/return_authorizations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Call a return off
         * @description **Admins only.**
         */
        put: operations["cancelOrderReturnAuthorization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inventory_units/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One single item of a shipment
         * @description **Admins only.**
         */
        get: operations["getInventoryUnit"];
        /**
         * Let something happen to a single item
         * @description **Admins only.**
         *
         *     `fire`: `fill_backorder` once its goods are there, `ship` when its shipment is ready, `return` when it came back without a return authorization. Without it nothing changes.
         */
        put: operations["updateInventoryUnit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This API as an OpenAPI 3.1 document
         * @description Open to everybody.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddressAttributes: {
            /** @description Of an address that is already there, to change it. */
            id?: number | null;
            firstname?: string | null;
            lastname?: string | null;
            /** @description The same as `firstname`. */
            first_name?: string | null;
            /** @description The same as `lastname`. */
            last_name?: string | null;
            address1?: string | null;
            address2?: string | null;
            city?: string | null;
            zipcode?: string | null;
            phone?: string | null;
            company?: string | null;
            alternative_phone?: string | null;
            country_id?: number | null;
            state_id?: number | null;
            state_name?: string | null;
            /** @description Names the country in place of `country_id`. */
            country?: {
                iso?: string | null;
                iso3?: string | null;
                name?: string | null;
                iso_name?: string | null;
            };
            /** @description Names the state in place of `state_id`. */
            state?: {
                name?: string | null;
                abbr?: string | null;
            };
        };
        CardInput: {
            number?: string;
            month?: string;
            year?: string;
            /** @description MM/YY, in place of month and year. */
            expiry?: string;
            verification_value?: string;
            name?: string;
            cc_type?: string;
        } & {
            [key: string]: unknown;
        };
        CreateUserBody: {
            user: {
                /** Format: email */
                email: string;
                password: string;
                bill_address_attributes?: components["schemas"]["AddressAttributes"];
                ship_address_attributes?: components["schemas"]["AddressAttributes"];
                /** @description The same as `bill_address_attributes`. */
                bill_address?: components["schemas"]["AddressAttributes"];
                /** @description The same as `ship_address_attributes`. */
                ship_address?: components["schemas"]["AddressAttributes"];
                /** @description Names; replaces the roles the user has. Admins only, otherwise ignored. */
                roles?: string[] | null;
            };
        };
        UpdateUserBody: {
            user: {
                /** Format: email */
                email?: string;
                password?: string;
                bill_address_attributes?: components["schemas"]["AddressAttributes"];
                ship_address_attributes?: components["schemas"]["AddressAttributes"];
                /** @description The same as `bill_address_attributes`. */
                bill_address?: components["schemas"]["AddressAttributes"];
                /** @description The same as `ship_address_attributes`. */
                ship_address?: components["schemas"]["AddressAttributes"];
                /** @description Names; replaces the roles the user has. Admins only, otherwise ignored. */
                roles?: string[] | null;
            };
        };
        CreateUserTokenBody: {
            api_token: {
                name?: string | null;
            };
        };
        CreateSessionBody: {
            email: string;
            password: string;
        };
        CreateStoreBody: {
            store: {
                name: string;
                url: string;
                code: string;
                mail_from_address: string;
                meta_description?: string | null;
                meta_keywords?: string | null;
                seo_title?: string | null;
                is_default?: boolean | null;
                currency?: string | null;
                default_country_id?: number | null;
                track_inventory_levels?: boolean | null;
                auto_capture?: boolean | null;
                auto_capture_on_dispatch?: boolean | null;
                tax_using_ship_address?: boolean | null;
            };
        };
        UpdateStoreBody: {
            store: {
                name?: string;
                url?: string;
                code?: string;
                mail_from_address?: string;
                meta_description?: string | null;
                meta_keywords?: string | null;
                seo_title?: string | null;
                is_default?: boolean | null;
                currency?: string | null;
                default_country_id?: number | null;
                track_inventory_levels?: boolean | null;
                auto_capture?: boolean | null;
                auto_capture_on_dispatch?: boolean | null;
                tax_using_ship_address?: boolean | null;
            };
        };
        CreateProductBody: {
            product: {
                name: string;
                description?: string | null;
                /** @example 19.99 */
                price: string;
                /** Format: date-time */
                available_on?: string | null;
                /** Format: date-time */
                discontinue_on?: string | null;
                slug?: string | null;
                meta_title?: string | null;
                meta_description?: string | null;
                meta_keywords?: string | null;
                shipping_category_id?: number | null;
                tax_category_id?: number | null;
                taxon_ids?: number[] | null;
                sku?: string | null;
                /** @example 19.99 */
                weight?: string | null;
                /** @example 19.99 */
                height?: string | null;
                /** @example 19.99 */
                width?: string | null;
                /** @example 19.99 */
                depth?: string | null;
                /** @example 19.99 */
                cost_price?: string | null;
                cost_currency?: string | null;
                permalink?: string | null;
                shipping_category?: string | null;
                option_type_ids?: number[] | null;
                option_types?: string[] | null;
                variants?: {
                    sku?: string | null;
                    /** @example 19.99 */
                    weight?: string | null;
                    /** @example 19.99 */
                    height?: string | null;
                    /** @example 19.99 */
                    width?: string | null;
                    /** @example 19.99 */
                    depth?: string | null;
                    /** @example 19.99 */
                    cost_price?: string | null;
                    cost_currency?: string | null;
                    /** @example 19.99 */
                    price?: string | null;
                    position?: number | null;
                    track_inventory?: boolean | null;
                    tax_category_id?: number | null;
                    option_value_ids?: number[] | null;
                    options?: {
                        name: string;
                        value: string;
                    }[];
                    id?: number | null;
                }[];
                product_properties_attributes?: {
                    id?: number | null;
                    property_name?: string | null;
                    value?: string | null;
                    _destroy?: boolean | null;
                }[];
            };
        };
        UpdateProductBody: {
            product: {
                name?: string;
                description?: string | null;
                /** @example 19.99 */
                price?: string;
                /** Format: date-time */
                available_on?: string | null;
                /** Format: date-time */
                discontinue_on?: string | null;
                slug?: string | null;
                meta_title?: string | null;
                meta_description?: string | null;
                meta_keywords?: string | null;
                shipping_category_id?: number;
                tax_category_id?: number | null;
                taxon_ids?: number[] | null;
                sku?: string | null;
                /** @example 19.99 */
                weight?: string | null;
                /** @example 19.99 */
                height?: string | null;
                /** @example 19.99 */
                width?: string | null;
                /** @example 19.99 */
                depth?: string | null;
                /** @example 19.99 */
                cost_price?: string | null;
                cost_currency?: string | null;
                permalink?: string | null;
                shipping_category?: string | null;
                option_type_ids?: number[] | null;
                option_types?: string[] | null;
                variants?: {
                    sku?: string | null;
                    /** @example 19.99 */
                    weight?: string | null;
                    /** @example 19.99 */
                    height?: string | null;
                    /** @example 19.99 */
                    width?: string | null;
                    /** @example 19.99 */
                    depth?: string | null;
                    /** @example 19.99 */
                    cost_price?: string | null;
                    cost_currency?: string | null;
                    /** @example 19.99 */
                    price?: string | null;
                    position?: number | null;
                    track_inventory?: boolean | null;
                    tax_category_id?: number | null;
                    option_value_ids?: number[] | null;
                    options?: {
                        name: string;
                        value: string;
                    }[];
                    id?: number | null;
                }[];
                product_properties_attributes?: {
                    id?: number | null;
                    property_name?: string | null;
                    value?: string | null;
                    _destroy?: boolean | null;
                }[];
            };
        };
        CreateProductVariantBody: {
            variant: {
                sku?: string | null;
                /** @example 19.99 */
                weight?: string | null;
                /** @example 19.99 */
                height?: string | null;
                /** @example 19.99 */
                width?: string | null;
                /** @example 19.99 */
                depth?: string | null;
                /** @example 19.99 */
                cost_price?: string | null;
                cost_currency?: string | null;
                /** @example 19.99 */
                price?: string | null;
                position?: number | null;
                track_inventory?: boolean | null;
                tax_category_id?: number | null;
                option_value_ids?: number[] | null;
                options?: {
                    name: string;
                    value: string;
                }[];
            };
        };
        UpdateProductVariantBody: {
            variant: {
                sku?: string | null;
                /** @example 19.99 */
                weight?: string | null;
                /** @example 19.99 */
                height?: string | null;
                /** @example 19.99 */
                width?: string | null;
                /** @example 19.99 */
                depth?: string | null;
                /** @example 19.99 */
                cost_price?: string | null;
                cost_currency?: string | null;
                /** @example 19.99 */
                price?: string;
                position?: number | null;
                track_inventory?: boolean | null;
                tax_category_id?: number | null;
                option_value_ids?: number[] | null;
                options?: {
                    name: string;
                    value: string;
                }[];
            };
        };
        UpdateProductImageBody: {
            image: {
                alt?: string | null;
                position?: number | null;
                viewable_id?: number | null;
                /** @description A file comes as multipart. */
                attachment?: null;
            };
        };
        CreateOptionTypeBody: {
            option_type: {
                name: string;
                presentation: string;
                position?: number | null;
                option_values_attributes?: {
                    id?: number | null;
                    name?: string | null;
                    presentation?: string | null;
                    position?: number | null;
                    _destroy?: boolean | null;
                }[];
            };
        };
        UpdateOptionTypeBody: {
            option_type: {
                name?: string;
                presentation?: string;
                position?: number | null;
                option_values_attributes?: {
                    id?: number | null;
                    name?: string | null;
                    presentation?: string | null;
                    position?: number | null;
                    _destroy?: boolean | null;
                }[];
            };
        };
        CreateOptionValueBody: {
            option_type_id?: number | null;
            option_value: {
                name: string;
                presentation: string;
                position?: number | null;
                option_type_id?: number | null;
            };
        };
        UpdateOptionValueBody: {
            option_value: {
                name?: string;
                presentation?: string;
                position?: number | null;
                option_type_id?: number | null;
            };
        };
        CreateTaxonomyBody: {
            taxonomy: {
                name: string;
            };
        };
        UpdateTaxonomyBody: {
            taxonomy: {
                name?: string;
            };
        };
        CreateTaxonomyTaxonBody: {
            taxon: {
                name: string;
                parent_id?: number | null;
                child_index?: number | null;
                position?: number | null;
                permalink?: string | null;
                description?: string | null;
                meta_title?: string | null;
                meta_description?: string | null;
                meta_keywords?: string | null;
            };
        };
        UpdateTaxonomyTaxonBody: {
            taxon: {
                name?: string;
                parent_id?: number | null;
                child_index?: number | null;
                position?: number | null;
                permalink?: string | null;
                description?: string | null;
                meta_title?: string | null;
                meta_description?: string | null;
                meta_keywords?: string | null;
            };
        };
        UpdateClassificationBody: {
            product_id: number;
            taxon_id: number;
            /** @description 0-based. */
            position: number;
        };
        CreatePropertyBody: {
            property: {
                name: string;
                presentation: string;
            };
        };
        UpdatePropertyBody: {
            property: {
                name?: string;
                presentation?: string;
            };
        };
        CreateProductProductPropertyBody: {
            product_property: {
                property_name?: string | null;
                value?: string | null;
                position?: number | null;
            };
        };
        UpdateProductProductPropertyBody: {
            product_property: {
                property_name?: string | null;
                value?: string | null;
                position?: number | null;
            };
        };
        CreateZoneBody: {
            zone: {
                name: string;
                description?: string | null;
                default_tax?: boolean | null;
                /** @description Replaces the members: countries, or states, not both. */
                zone_members?: {
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
                /** @description The same as `zone_members`. */
                zone_members_attributes?: {
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
            };
        };
        UpdateZoneBody: {
            zone: {
                name?: string;
                description?: string | null;
                default_tax?: boolean | null;
                /** @description Replaces the members: countries, or states, not both. */
                zone_members?: {
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
                /** @description The same as `zone_members`. */
                zone_members_attributes?: {
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
            };
        };
        CreateTaxCategoryBody: {
            tax_category: {
                name: string;
                description?: string | null;
                tax_code?: string | null;
                is_default?: boolean | null;
            };
        };
        UpdateTaxCategoryBody: {
            tax_category: {
                name?: string;
                description?: string | null;
                tax_code?: string | null;
                is_default?: boolean | null;
            };
        };
        CreateTaxRateBody: {
            tax_rate: {
                name?: string | null;
                /** @example 19.99 */
                amount: string;
                zone_id?: number | null;
                tax_category_id: number;
                included_in_price?: boolean | null;
                show_rate_in_label?: boolean | null;
            };
        };
        UpdateTaxRateBody: {
            tax_rate: {
                name?: string | null;
                /** @example 19.99 */
                amount?: string;
                zone_id?: number | null;
                tax_category_id?: number;
                included_in_price?: boolean | null;
                show_rate_in_label?: boolean | null;
            };
        };
        CreateShippingCategoryBody: {
            shipping_category: {
                name: string;
            };
        };
        UpdateShippingCategoryBody: {
            shipping_category: {
                name?: string;
            };
        };
        CreateShippingMethodBody: {
            shipping_method: {
                name: string;
                code?: string | null;
                admin_name?: string | null;
                tracking_url?: string | null;
                display_on?: ("both" | "back_end") | null;
                tax_category_id?: number | null;
                /** @enum {string} */
                calculator_type: "flat_rate" | "per_item" | "flat_percent" | "price_sack" | "flexi_rate";
                calculator_preferences?: {
                    [key: string]: string | number | boolean | null;
                } | null;
                zone_ids?: number[] | null;
                shipping_category_ids: number[];
            };
        };
        UpdateShippingMethodBody: {
            shipping_method: {
                name?: string;
                code?: string | null;
                admin_name?: string | null;
                tracking_url?: string | null;
                display_on?: ("both" | "back_end") | null;
                tax_category_id?: number | null;
                /** @enum {string} */
                calculator_type?: "flat_rate" | "per_item" | "flat_percent" | "price_sack" | "flexi_rate";
                calculator_preferences?: {
                    [key: string]: string | number | boolean | null;
                } | null;
                zone_ids?: number[] | null;
                shipping_category_ids?: number[];
            };
        };
        CreatePaymentMethodBody: {
            payment_method: {
                name: string;
                description?: string | null;
                gateway: string;
                display_on?: ("both" | "back_end") | null;
                active?: boolean | null;
                auto_capture?: boolean | null;
                position?: number | null;
                /** @description Credentials for the gateway, by name; written, never shown. Those left out stay, null removes one, null instead of the record removes all. */
                preferences?: {
                    [key: string]: string | number | boolean | null;
                } | null;
            };
        };
        UpdatePaymentMethodBody: {
            payment_method: {
                name?: string;
                description?: string | null;
                gateway?: string;
                display_on?: ("both" | "back_end") | null;
                active?: boolean | null;
                auto_capture?: boolean | null;
                position?: number | null;
                /** @description Credentials for the gateway, by name; written, never shown. Those left out stay, null removes one, null instead of the record removes all. */
                preferences?: {
                    [key: string]: string | number | boolean | null;
                } | null;
            };
        };
        CreateReturnAuthorizationReasonBody: {
            return_authorization_reason: {
                name: string;
                active?: boolean | null;
                mutable?: boolean | null;
            };
        };
        UpdateReturnAuthorizationReasonBody: {
            return_authorization_reason: {
                name?: string;
                active?: boolean | null;
                mutable?: boolean | null;
            };
        };
        CreateStockLocationBody: {
            stock_location: {
                name: string;
                admin_name?: string | null;
                default?: boolean | null;
                address1?: string | null;
                address2?: string | null;
                city?: string | null;
                state_id?: number | null;
                state_name?: string | null;
                country_id?: number | null;
                zipcode?: string | null;
                phone?: string | null;
                active?: boolean | null;
                backorderable_default?: boolean | null;
                propagate_all_variants?: boolean | null;
            };
        };
        UpdateStockLocationBody: {
            stock_location: {
                name?: string;
                admin_name?: string | null;
                default?: boolean | null;
                address1?: string | null;
                address2?: string | null;
                city?: string | null;
                state_id?: number | null;
                state_name?: string | null;
                country_id?: number | null;
                zipcode?: string | null;
                phone?: string | null;
                active?: boolean | null;
                backorderable_default?: boolean | null;
                propagate_all_variants?: boolean | null;
            };
        };
        CreateStockLocationStockItemBody: {
            stock_item: {
                count_on_hand?: number | null;
                backorderable?: boolean | null;
                variant_id?: number | null;
            };
        };
        UpdateStockLocationStockItemBody: {
            stock_item: {
                count_on_hand?: number | null;
                force?: boolean | null;
                backorderable?: boolean | null;
            };
        };
        CreateStockLocationStockMovementBody: {
            stock_movement: {
                quantity?: number | null;
                action?: string | null;
                stock_item_id?: number | null;
            };
        };
        UpdateStockLocationStockMovementBody: {
            stock_movement: {
                quantity?: number | null;
            };
        };
        CreateOrderPaymentBody: {
            payment: {
                payment_method_id?: number | null;
                /**
                 * @description Heeded for admins only; others pay the order's outstanding total.
                 * @example 19.99
                 */
                amount?: string;
                source_attributes?: components["schemas"]["CardInput"];
                /** @description Id of a saved card of the order's user. */
                existing_card?: number | null;
            };
        };
        UpdateOrderPaymentBody: {
            payment: {
                payment_method_id?: number | null;
                /**
                 * @description A decimal number.
                 * @example 19.99
                 */
                amount?: string;
            };
        };
        UpdateOrderAddressBody: {
            address: components["schemas"]["AddressAttributes"];
        };
        CreateOrderBody: {
            order: {
                email?: string | null;
                special_instructions?: string | null;
                bill_address?: components["schemas"]["AddressAttributes"];
                bill_address_attributes?: components["schemas"]["AddressAttributes"];
                ship_address?: components["schemas"]["AddressAttributes"];
                ship_address_attributes?: components["schemas"]["AddressAttributes"];
                line_items?: {
                    id?: number | null;
                    variant_id?: number | null;
                    sku?: string | null;
                    quantity?: number | null;
                    /**
                     * @description Heeded for admins only.
                     * @example 19.99
                     */
                    price?: string | null;
                }[];
                line_items_attributes?: {
                    id?: number | null;
                    variant_id?: number | null;
                    sku?: string | null;
                    quantity?: number | null;
                    /**
                     * @description Heeded for admins only.
                     * @example 19.99
                     */
                    price?: string | null;
                }[];
                /** @description Admins only, as are the fields after it. */
                user_id?: number | null;
                currency?: string | null;
                channel?: string | null;
                number?: string | null;
                /** Format: date-time */
                completed_at?: string | null;
            };
        };
        UpdateOrderBody: {
            payment_source?: {
                [key: string]: components["schemas"]["CardInput"];
            };
            order: {
                email?: string | null;
                special_instructions?: string | null;
                use_billing?: boolean | null;
                bill_address?: components["schemas"]["AddressAttributes"];
                bill_address_attributes?: components["schemas"]["AddressAttributes"];
                ship_address?: components["schemas"]["AddressAttributes"];
                ship_address_attributes?: components["schemas"]["AddressAttributes"];
                line_items?: {
                    id?: number | null;
                    variant_id?: number | null;
                    sku?: string | null;
                    quantity?: number | null;
                    /**
                     * @description Heeded for admins only.
                     * @example 19.99
                     */
                    price?: string | null;
                }[];
                line_items_attributes?: {
                    id?: number | null;
                    variant_id?: number | null;
                    sku?: string | null;
                    quantity?: number | null;
                    /**
                     * @description Heeded for admins only.
                     * @example 19.99
                     */
                    price?: string | null;
                }[];
                shipments?: {
                    id?: number | null;
                    selected_shipping_rate_id?: number | null;
                }[];
                shipments_attributes?: {
                    id?: number | null;
                    selected_shipping_rate_id?: number | null;
                }[];
                payments?: {
                    payment_method_id?: number | null;
                    source_attributes?: components["schemas"]["CardInput"];
                }[];
                payments_attributes?: {
                    payment_method_id?: number | null;
                    source_attributes?: components["schemas"]["CardInput"];
                }[];
                payment_source?: {
                    [key: string]: components["schemas"]["CardInput"];
                };
                existing_card?: number | null;
                coupon_code?: string | null;
                state?: string | null;
                user_id?: number | null;
            };
        };
        ApplyCouponCodeOrderBody: {
            coupon_code?: string | null;
        };
        CreateOrderLineItemBody: {
            line_item: {
                variant_id?: number | null;
                sku?: string | null;
                quantity?: number | null;
                /** @example 19.99 */
                price?: string | null;
            };
        };
        UpdateOrderLineItemBody: {
            line_item: {
                variant_id?: number | null;
                sku?: string | null;
                quantity?: number | null;
                /** @example 19.99 */
                price?: string | null;
            };
        };
        CreatePromotionBody: {
            promotion: {
                name: string;
                description?: string | null;
                code?: string | null;
                path?: string | null;
                type?: string | null;
                /** Format: date-time */
                starts_at?: string | null;
                /** Format: date-time */
                expires_at?: string | null;
                usage_limit?: number | null;
                match_policy?: ("all" | "any") | null;
                advertise?: boolean | null;
                /** @description With `id` an update, with `_destroy` a removal, otherwise a new one; those not named stay. At most 50, in a body and in all. */
                rules?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("item_total" | "product" | "taxon" | "user" | "first_order" | "one_use_per_user") | null;
                    match_policy?: ("any" | "all" | "none") | null;
                    /** @example 19.99 */
                    amount_min?: string | null;
                    /** @example 19.99 */
                    amount_max?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                    product_ids?: number[] | null;
                    taxon_ids?: number[] | null;
                    user_ids?: number[] | null;
                }[];
                /** @description The same as `rules`. */
                promotion_rules_attributes?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("item_total" | "product" | "taxon" | "user" | "first_order" | "one_use_per_user") | null;
                    match_policy?: ("any" | "all" | "none") | null;
                    /** @example 19.99 */
                    amount_min?: string | null;
                    /** @example 19.99 */
                    amount_max?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                    product_ids?: number[] | null;
                    taxon_ids?: number[] | null;
                    user_ids?: number[] | null;
                }[];
                /** @description With `id` an update, with `_destroy` a removal, otherwise a new one; those not named stay. At most 50, in a body and in all. */
                actions?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("order_percent" | "order_amount" | "line_percent" | "line_amount" | "free_shipping") | null;
                    /** @example 19.99 */
                    percent?: string | null;
                    /** @example 19.99 */
                    amount?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                }[];
                /** @description The same as `actions`. */
                promotion_actions_attributes?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("order_percent" | "order_amount" | "line_percent" | "line_amount" | "free_shipping") | null;
                    /** @example 19.99 */
                    percent?: string | null;
                    /** @example 19.99 */
                    amount?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                }[];
            };
        };
        UpdatePromotionBody: {
            promotion: {
                name?: string;
                description?: string | null;
                code?: string | null;
                path?: string | null;
                type?: string | null;
                /** Format: date-time */
                starts_at?: string | null;
                /** Format: date-time */
                expires_at?: string | null;
                usage_limit?: number | null;
                match_policy?: ("all" | "any") | null;
                advertise?: boolean | null;
                /** @description With `id` an update, with `_destroy` a removal, otherwise a new one; those not named stay. At most 50, in a body and in all. */
                rules?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("item_total" | "product" | "taxon" | "user" | "first_order" | "one_use_per_user") | null;
                    match_policy?: ("any" | "all" | "none") | null;
                    /** @example 19.99 */
                    amount_min?: string | null;
                    /** @example 19.99 */
                    amount_max?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                    product_ids?: number[] | null;
                    taxon_ids?: number[] | null;
                    user_ids?: number[] | null;
                }[];
                /** @description The same as `rules`. */
                promotion_rules_attributes?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("item_total" | "product" | "taxon" | "user" | "first_order" | "one_use_per_user") | null;
                    match_policy?: ("any" | "all" | "none") | null;
                    /** @example 19.99 */
                    amount_min?: string | null;
                    /** @example 19.99 */
                    amount_max?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                    product_ids?: number[] | null;
                    taxon_ids?: number[] | null;
                    user_ids?: number[] | null;
                }[];
                /** @description With `id` an update, with `_destroy` a removal, otherwise a new one; those not named stay. At most 50, in a body and in all. */
                actions?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("order_percent" | "order_amount" | "line_percent" | "line_amount" | "free_shipping") | null;
                    /** @example 19.99 */
                    percent?: string | null;
                    /** @example 19.99 */
                    amount?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                }[];
                /** @description The same as `actions`. */
                promotion_actions_attributes?: {
                    id?: number | null;
                    _destroy?: boolean | null;
                    type?: ("order_percent" | "order_amount" | "line_percent" | "line_amount" | "free_shipping") | null;
                    /** @example 19.99 */
                    percent?: string | null;
                    /** @example 19.99 */
                    amount?: string | null;
                    /** @description What the amounts are in; the currency of the default store unless told. */
                    currency?: string | null;
                }[];
            };
        };
        CreateShipmentBody: {
            /** @description The order's number. */
            order_id: string;
            stock_location_id: number;
            variant_id: number;
            quantity?: number | null;
        };
        TransferToLocationBody: {
            original_shipment_number: string;
            variant_id: number;
            quantity?: number | null;
            stock_location_id: number;
        };
        TransferToShipmentBody: {
            original_shipment_number: string;
            variant_id: number;
            quantity?: number | null;
            target_shipment_number: string;
        };
        UpdateShipmentBody: {
            shipment: {
                tracking?: string | null;
                number?: string;
                stock_location_id?: number;
                selected_shipping_rate_id?: number | null;
            };
        };
        AddToShipmentBody: {
            variant_id: number;
            quantity?: number | null;
        };
        CreateOrderReturnAuthorizationBody: {
            return_authorization: {
                memo?: string | null;
                /** @example 19.99 */
                amount?: string | null;
                stock_location_id?: number | null;
                return_authorization_reason_id?: number | null;
            };
        };
        UpdateOrderReturnAuthorizationBody: {
            return_authorization: {
                memo?: string | null;
                /** @example 19.99 */
                amount?: string | null;
                stock_location_id?: number;
                return_authorization_reason_id?: number;
            };
        };
        AddToOrderReturnAuthorizationBody: {
            variant_id: number;
            quantity?: number | null;
        };
        UpdateInventoryUnitBody: {
            /** @description `fill_backorder`, `ship` or `return`. */
            fire?: string | null;
            /** @description Has no effect. */
            inventory_unit?: Record<string, never>;
        };
        User: {
            id: number;
            email: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            roles: string[];
            bill_address: components["schemas"]["Address"] | null;
            ship_address: components["schemas"]["Address"] | null;
        };
        Address: {
            id: number;
            firstname: string;
            lastname: string;
            full_name: string;
            address1: string;
            address2: string | null;
            city: string;
            zipcode: string;
            phone: string;
            company: string | null;
            alternative_phone: string | null;
            country_id: number;
            state_id: number | null;
            /** @description A state the store has no record of. */
            state_name: string | null;
            /** @description The state's abbreviation, else its name, else what was typed. */
            state_text: string | null;
            country: components["schemas"]["Country"];
            state: components["schemas"]["State"] | null;
        };
        Country: {
            id: number;
            iso_name: string;
            iso: string;
            iso3: string;
            name: string;
            numcode: number;
            /** @description Whether an address in this country must name a state. */
            states_required: boolean;
        };
        State: {
            id: number;
            name: string;
            abbr: string;
            country_id: number;
        };
        ErrorReply: {
            error: string;
        };
        NewUser: {
            id: number;
            email: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            roles: string[];
            bill_address: components["schemas"]["Address"] | null;
            ship_address: components["schemas"]["Address"] | null;
            /** @description Send it as `X-Store-Token`. */
            token: string;
        };
        InvalidResource: {
            error: string;
            /** @description Messages by field; those of nested records have dotted keys, those of the whole `base`. */
            errors?: {
                [key: string]: string[];
            };
        };
        AttributeList: {
            attributes: string[];
            required_attributes: string[];
        };
        ApiToken: {
            id: number;
            /** @description What the token is for. */
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
        };
        NewApiToken: {
            id: number;
            /** @description What the token is for. */
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            token: string;
        };
        Session: {
            /** @description Send it as `X-Store-Token`; it holds until it is revoked. */
            token: string;
            user: components["schemas"]["User"];
        };
        Store: {
            id: number;
            name: string;
            url: string;
            code: string;
            mail_from_address: string;
            meta_description: string | null;
            meta_keywords: string | null;
            seo_title: string | null;
            /** @description Whether its settings are in force. */
            is_default: boolean;
            /** @description Of new orders and of prices; ISO 4217. */
            currency: string;
            default_country_id: number | null;
            /** @description Whether stock is counted at all. */
            track_inventory_levels: boolean;
            /** @description Whether payments are captured when an order completes. */
            auto_capture: boolean;
            /** @description Whether shipping captures what was authorized. */
            auto_capture_on_dispatch: boolean;
            /** @description Whether taxes follow the ship address rather than the bill address. */
            tax_using_ship_address: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Config: {
            default_country_id: number | null;
        };
        MoneyConfig: {
            symbol: string;
            symbol_position: string;
            /** @description Whether the currency has no smaller unit. */
            no_cents: boolean;
            decimal_mark: string;
            thousands_separator: string;
        };
        Product: {
            id: number;
            name: string;
            description: string | null;
            /**
             * @description The master's, in the store's currency; null when it has no price in it.
             * @example 19.99
             */
            price: string | null;
            /** @example $19.99 */
            display_price: string | null;
            /**
             * Format: date-time
             * @description Shoppers see the product from then on; null means not at all.
             */
            available_on: string | null;
            slug: string;
            meta_description: string | null;
            meta_keywords: string | null;
            shipping_category_id: number;
            taxon_ids: number[];
            /** @description The sum over all variants and active locations; null when one of them is not counted. */
            total_on_hand: number | null;
            has_variants: boolean;
            master: components["schemas"]["Variant"];
            variants: components["schemas"]["Variant"][];
            option_types: components["schemas"]["OptionType"][];
            product_properties: components["schemas"]["ProductProperty"][];
            classifications: components["schemas"]["Classification"][];
        };
        Variant: {
            id: number;
            /** @description The product's. */
            name: string;
            sku: string;
            /**
             * @description In the store's currency; null when the variant has no price in it.
             * @example 19.99
             */
            price: string | null;
            /** @example 0.0 */
            weight: string;
            /** @example 0.0 */
            height: string | null;
            /** @example 0.0 */
            width: string | null;
            /** @example 0.0 */
            depth: string | null;
            is_master: boolean;
            /** @description The product's. */
            slug: string;
            /** @description The product's. */
            description: string | null;
            track_inventory: boolean;
            /**
             * @description Shown to admins only.
             * @example 0.0
             */
            cost_price?: string | null;
            /** @example $19.99 */
            display_price: string | null;
            /** @example Size: Small, Color: Red */
            options_text: string;
            in_stock: boolean;
            is_backorderable: boolean;
            is_orderable: boolean;
            /** @description Null when its stock is not counted. */
            total_on_hand: number | null;
            is_destroyed: boolean;
            product_id: number;
            option_values: components["schemas"]["OptionValue"][];
            images: components["schemas"]["Image"][];
        };
        OptionValue: {
            id: number;
            name: string;
            presentation: string;
            option_type_name: string | null;
            option_type_id: number | null;
            option_type_presentation: string | null;
        };
        Image: {
            id: number;
            position: number;
            /** @enum {string} */
            attachment_content_type: "image/jpeg" | "image/png" | "image/gif";
            attachment_file_name: string;
            /** @constant */
            type: "Store::Image";
            /** Format: date-time */
            attachment_updated_at: string | null;
            attachment_width: number;
            attachment_height: number;
            alt: string | null;
            /** @constant */
            viewable_type: "Store::Variant";
            viewable_id: number;
            /** @example /store/products/31/mini/front_view.png?1772358070 */
            mini_url: string;
            /** @example /store/products/31/mini/front_view.png?1772358070 */
            small_url: string;
            /** @example /store/products/31/mini/front_view.png?1772358070 */
            product_url: string;
            /** @example /store/products/31/mini/front_view.png?1772358070 */
            large_url: string;
        };
        OptionType: {
            id: number;
            name: string;
            presentation: string;
            position: number;
            option_values: components["schemas"]["OptionValue"][];
        };
        ProductProperty: {
            id: number;
            product_id: number;
            property_id: number;
            value: string | null;
            property_name: string;
        };
        Classification: {
            taxon_id: number;
            position: number;
            taxon: components["schemas"]["Taxon"];
        };
        /** @description A taxon with its direct children. */
        Taxon: {
            id: number;
            name: string;
            /** @description The names from the root to this taxon. */
            pretty_name: string;
            permalink: string;
            /** @description Null for the root of a taxonomy. */
            parent_id: number | null;
            taxonomy_id: number;
            meta_title: string | null;
            meta_description: string | null;
            taxons: components["schemas"]["TaxonFields"][];
        };
        TaxonFields: {
            id: number;
            name: string;
            /** @description The names from the root to this taxon. */
            pretty_name: string;
            permalink: string;
            /** @description Null for the root of a taxonomy. */
            parent_id: number | null;
            taxonomy_id: number;
            meta_title: string | null;
            meta_description: string | null;
        };
        VariantWithStock: {
            id: number;
            /** @description The product's. */
            name: string;
            sku: string;
            /**
             * @description In the store's currency; null when the variant has no price in it.
             * @example 19.99
             */
            price: string | null;
            /** @example 0.0 */
            weight: string;
            /** @example 0.0 */
            height: string | null;
            /** @example 0.0 */
            width: string | null;
            /** @example 0.0 */
            depth: string | null;
            is_master: boolean;
            /** @description The product's. */
            slug: string;
            /** @description The product's. */
            description: string | null;
            track_inventory: boolean;
            /**
             * @description Shown to admins only.
             * @example 0.0
             */
            cost_price?: string | null;
            /** @example $19.99 */
            display_price: string | null;
            /** @example Size: Small, Color: Red */
            options_text: string;
            in_stock: boolean;
            is_backorderable: boolean;
            is_orderable: boolean;
            /** @description Null when its stock is not counted. */
            total_on_hand: number | null;
            is_destroyed: boolean;
            product_id: number;
            option_values: components["schemas"]["OptionValue"][];
            images: components["schemas"]["Image"][];
            stock_items: components["schemas"]["VariantStockItem"][];
        };
        VariantStockItem: {
            id: number;
            count_on_hand: number;
            stock_location_id: number;
            backorderable: boolean;
            variant_id: number;
            available: boolean;
            stock_location_name: string;
        };
        Taxonomy: {
            id: number;
            name: string;
            /** @description The root with its direct children; with `set=nested`, with everything below it. */
            root: components["schemas"]["TaxonTree"];
        };
        /** @description A taxon with its children, their children and so on. */
        TaxonTree: {
            id: number;
            name: string;
            /** @description The names from the root to this taxon. */
            pretty_name: string;
            permalink: string;
            /** @description Null for the root of a taxonomy. */
            parent_id: number | null;
            taxonomy_id: number;
            meta_title: string | null;
            meta_description: string | null;
            taxons?: components["schemas"]["TaxonTree"][];
        };
        JstreeNode: {
            /** @description The taxon's name. */
            data: string;
            attr: {
                id: number;
                name: string;
            };
            /** @constant */
            state: "closed";
        };
        Property: {
            id: number;
            name: string;
            presentation: string;
        };
        CountryWithStates: {
            id: number;
            iso_name: string;
            iso: string;
            iso3: string;
            name: string;
            numcode: number;
            /** @description Whether an address in this country must name a state. */
            states_required: boolean;
            states: components["schemas"]["State"][];
        };
        Zone: {
            id: number;
            name: string;
            description: string | null;
            /** @description Whether orders outside all zones are taxed as in this one. */
            default_tax: boolean;
            zone_members: components["schemas"]["ZoneMember"][];
        };
        ZoneMember: {
            id: number;
            /** @enum {string} */
            zoneable_type: "Store::Country" | "Store::State";
            zoneable_id: number;
        };
        TaxCategory: {
            id: number;
            name: string;
            description: string | null;
            /** @description The code that accounting or a tax service uses. */
            tax_code: string | null;
            /** @description Whether products without a category of their own belong to it. */
            is_default: boolean;
        };
        TaxRate: {
            id: number;
            /** @description Without one, the category's name is shown. */
            name: string | null;
            /**
             * @description A fraction: `0.19` is 19 percent.
             * @example 0.19
             */
            amount: string;
            /** @description Where it applies; null: nowhere. */
            zone_id: number | null;
            tax_category_id: number;
            /** @description Whether prices include it, rather than it being added. */
            included_in_price: boolean;
            /** @description Whether its adjustments name the percentage. */
            show_rate_in_label: boolean;
        };
        ShippingCategory: {
            id: number;
            name: string;
        };
        ShippingMethodSettings: {
            id: number;
            name: string;
            code: string | null;
            zones: {
                id: number;
                name: string;
                description: string | null;
                /** @description In replies of the shipment endpoints. */
                zone_members?: {
                    id: number;
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
            }[];
            shipping_categories: {
                id: number;
                name: string;
            }[];
            admin_name: string | null;
            /** @description `:tracking` stands for the tracking number. */
            tracking_url: string | null;
            /**
             * @description `back_end`: never offered in a checkout.
             * @enum {string}
             */
            display_on: "both" | "back_end";
            /** @description What its cost is taxed as; null: untaxed. */
            tax_category_id: number | null;
            /** @enum {string} */
            calculator_type: "flat_rate" | "per_item" | "flat_percent" | "price_sack" | "flexi_rate";
            /** @description All have `currency` (null: any). `flat_rate`, `per_item`: `amount`. `flat_percent`: `flat_percent`. `price_sack`: `normal_amount` below `minimal_amount`, else `discount_amount`. `flexi_rate`: `first_item`, `additional_item`, `max_items`. */
            calculator_preferences: {
                [key: string]: string | number | null;
            };
        };
        PaymentMethodSettings: {
            id: number;
            name: string;
            description: string | null;
            /**
             * @description Who takes the money.
             * @example bogus
             */
            gateway: string;
            /**
             * @description Follows from the gateway: `gateway` asks the buyer for a card.
             * @enum {string}
             */
            method_type: "gateway" | "check";
            /**
             * @description `back_end`: for admins only.
             * @enum {string}
             */
            display_on: "both" | "back_end";
            /** @description Whether new payments may use it. */
            active: boolean;
            /** @description Whether completing an order captures; null: the store's setting applies. */
            auto_capture: boolean | null;
            position: number;
            /** @description Whether credentials are stored. */
            has_preferences: boolean;
        };
        ReturnAuthorizationReason: {
            id: number;
            name: string;
            /** @description Whether new returns may use it. */
            active: boolean;
            /** @description Whether it may be updated and deleted. */
            mutable: boolean;
        };
        StockLocation: {
            id: number;
            name: string;
            admin_name: string | null;
            /** @description Ships first. At most one location is the default. */
            default: boolean;
            address1: string | null;
            address2: string | null;
            city: string | null;
            state_id: number | null;
            state_name: string | null;
            country_id: number | null;
            zipcode: string | null;
            phone: string | null;
            /** @description Only active locations count for availability and shipping. */
            active: boolean;
            /** @description Whether new stock items here take backorders. */
            backorderable_default: boolean;
            /** @description Whether every variant gets a stock item here by itself. */
            propagate_all_variants: boolean;
            country: components["schemas"]["Country"] | null;
            state: components["schemas"]["State"] | null;
        };
        StockItem: {
            id: number;
            /** @description Below zero: units owed to backorders. */
            count_on_hand: number;
            backorderable: boolean;
            stock_location_id: number;
            variant_id: number;
            variant: components["schemas"]["Variant"];
        };
        StockMovement: {
            id: number;
            /** @description Above zero goods arrived, below zero they left. */
            quantity: number;
            stock_item_id: number;
            /**
             * @description A free label.
             * @example received
             * @example sold
             */
            action: string | null;
            /** Format: date-time */
            created_at: string;
            stock_item: components["schemas"]["StockItem"];
        };
        CreditCard: {
            id: number;
            month: string;
            year: string;
            cc_type: string | null;
            last_digits: string;
            name: string;
            /** @description Admins only. */
            gateway_customer_profile_id?: string | null;
            /** @description Admins only. */
            gateway_payment_profile_id?: string | null;
        };
        Payment: {
            id: number;
            source_type: string | null;
            source_id: number | null;
            amount: string;
            display_amount: string;
            payment_method_id: number;
            /** @enum {string} */
            state: "checkout" | "processing" | "pending" | "completed" | "failed" | "void" | "invalid";
            avs_response: string | null;
            created_at: string;
            updated_at: string;
            number: string;
        };
        NewPayment: {
            attributes: string[];
            /** @description What the caller may pay with. */
            payment_methods: {
                id: number;
                name: string;
                method_type: string;
                description: string | null;
            }[];
        };
        StateChange: {
            id: number;
            /** @enum {string} */
            subject_type: "order" | "payment" | "shipment" | "return_authorization";
            subject_id: number;
            /** @description The subject's number; null when it is gone. */
            number: string | null;
            /** @description Null where it was made. */
            from_state: string | null;
            to_state: string;
            /** @description What was asked. */
            reason: string;
            /** @description Who did it, for admins; null for guests and for the program itself. */
            user?: {
                id: number;
                email: string;
            } | null;
            created_at: string;
        };
        OrderSummary: {
            id: number;
            number: string;
            item_total: string;
            total: string;
            ship_total: string;
            /** @enum {string} */
            state: "cart" | "address" | "delivery" | "payment" | "confirm" | "complete" | "canceled" | "awaiting_return" | "returned" | "resumed";
            adjustment_total: string;
            user_id: number | null;
            created_at: string;
            updated_at: string;
            completed_at: string | null;
            payment_total: string;
            shipment_state: string | null;
            payment_state: string | null;
            email: string | null;
            special_instructions: string | null;
            channel: string;
            included_tax_total: string;
            additional_tax_total: string;
            tax_total: string;
            display_included_tax_total: string;
            display_additional_tax_total: string;
            currency: string;
            considered_risky: boolean;
            canceler_id: number | null;
            display_item_total: string;
            total_quantity: number;
            display_total: string;
            display_ship_total: string;
            display_tax_total: string;
            display_adjustment_total: string;
            /** @description Opens this order to whoever presents it as X-Order-Token or order_token. */
            token: string;
            checkout_steps: string[];
        };
        Order: {
            id: number;
            number: string;
            item_total: string;
            total: string;
            ship_total: string;
            /** @enum {string} */
            state: "cart" | "address" | "delivery" | "payment" | "confirm" | "complete" | "canceled" | "awaiting_return" | "returned" | "resumed";
            adjustment_total: string;
            user_id: number | null;
            created_at: string;
            updated_at: string;
            completed_at: string | null;
            payment_total: string;
            shipment_state: string | null;
            payment_state: string | null;
            email: string | null;
            special_instructions: string | null;
            channel: string;
            included_tax_total: string;
            additional_tax_total: string;
            tax_total: string;
            display_included_tax_total: string;
            display_additional_tax_total: string;
            currency: string;
            considered_risky: boolean;
            canceler_id: number | null;
            display_item_total: string;
            total_quantity: number;
            display_total: string;
            display_ship_total: string;
            display_tax_total: string;
            display_adjustment_total: string;
            /** @description Opens this order to whoever presents it as X-Order-Token or order_token. */
            token: string;
            checkout_steps: string[];
            bill_address: components["schemas"]["Address"] | null;
            ship_address: components["schemas"]["Address"] | null;
            line_items: components["schemas"]["LineItem"][];
            payments: components["schemas"]["OrderPayment"][];
            shipments: components["schemas"]["OrderShipment"][];
            /** @description The order's own; those of lines and shipments are inside them. */
            adjustments: components["schemas"]["Adjustment"][];
            credit_cards: components["schemas"]["CreditCard"][];
            permissions: {
                can_update: boolean;
            };
            /** @description In state payment. */
            payment_methods?: components["schemas"]["OfferedPaymentMethod"][];
        };
        LineItem: {
            id: number;
            quantity: number;
            price: string;
            variant_id: number;
            single_display_amount: string;
            display_amount: string;
            display_total: string;
            /** @description price x quantity and the adjustments of the line. */
            total: string;
            adjustments: components["schemas"]["Adjustment"][];
            variant: components["schemas"]["Variant"];
        };
        Adjustment: {
            id: number;
            source_type: string | null;
            source_id: number | null;
            /** @enum {string} */
            adjustable_type: "Store::Order" | "Store::LineItem" | "Store::Shipment";
            adjustable_id: number;
            amount: string;
            label: string;
            mandatory: boolean;
            /** @description Inside the price already; does not count towards the total. */
            included: boolean;
            eligible: boolean;
            /** @description Keeps its amount, as everything does once an order is complete. */
            locked: boolean;
            display_amount: string;
            created_at: string;
            updated_at: string;
        };
        OrderPayment: {
            id: number;
            source_type: string | null;
            source_id: number | null;
            amount: string;
            display_amount: string;
            payment_method_id: number;
            /** @enum {string} */
            state: "checkout" | "processing" | "pending" | "completed" | "failed" | "void" | "invalid";
            avs_response: string | null;
            created_at: string;
            updated_at: string;
            number: string;
            payment_method: {
                id: number;
                name: string;
            };
            source: components["schemas"]["CreditCard"] | null;
        };
        OrderShipment: {
            id: number;
            tracking: string | null;
            number: string;
            cost: string;
            shipped_at: string | null;
            /** @enum {string} */
            state: "pending" | "ready" | "shipped" | "canceled";
            /** @description The order's number. */
            order_id: string;
            stock_location_name: string;
            shipping_methods: components["schemas"]["ShippingMethod"][];
            adjustments: components["schemas"]["Adjustment"][];
            shipping_rates: components["schemas"]["ShippingRate"][];
            selected_shipping_rate: components["schemas"]["ShippingRate"] | null;
            manifest: {
                variant_id: number;
                quantity: number;
                states: {
                    on_hand?: number;
                    backordered?: number;
                    shipped?: number;
                    returned?: number;
                };
            }[];
            /** @description While the order is in delivery. */
            inventory_units?: components["schemas"]["InventoryUnit"][];
            /** @description While the order is in delivery. */
            order?: components["schemas"]["OrderSummary"];
        };
        ShippingMethod: {
            id: number;
            code: string | null;
            name: string;
            zones: {
                id: number;
                name: string;
                description: string | null;
                /** @description In replies of the shipment endpoints. */
                zone_members?: {
                    id: number;
                    /** @enum {string} */
                    zoneable_type: "Store::Country" | "Store::State";
                    zoneable_id: number;
                }[];
            }[];
            shipping_categories: {
                id: number;
                name: string;
            }[];
        };
        ShippingRate: {
            id: number;
            name: string;
            cost: string;
            selected: boolean;
            shipping_method_id: number;
            shipping_method_code: string | null;
            display_cost: string;
        };
        InventoryUnit: {
            id: number;
            /** @enum {string} */
            state: "on_hand" | "backordered" | "shipped" | "returned";
            variant_id: number;
            shipment_id: number;
            variant: components["schemas"]["Variant"];
            line_item: {
                id: number;
                quantity: number;
                price: string;
                variant_id: number;
            } | null;
        };
        OfferedPaymentMethod: {
            id: number;
            name: string;
            method_type: string;
        };
        CouponResult: {
            success: string | null;
            error: string | null;
            successful: boolean;
            /** @enum {string} */
            status_code: "coupon_code_applied" | "coupon_code_removed" | "coupon_code_not_found" | "coupon_code_expired" | "coupon_code_already_applied" | "coupon_code_max_usage" | "coupon_code_not_eligible" | "coupon_code_better_exists";
        };
        Promotion: {
            id: number;
            name: string;
            description: string | null;
            /** @description What shoppers enter, in any letter case. Null: automatic, applied to every order that qualifies. */
            code: string | null;
            /** @description The page of the shop that describes it. */
            path: string | null;
            /** @description A word of your own to sort promotions by. */
            type: string | null;
            starts_at: string | null;
            expires_at: string | null;
            /** @description How many orders may be completed with it. */
            usage_limit: number | null;
            /** @description How many were; canceled ones do not count. */
            usage_count: number;
            /**
             * @description Whether all rules must hold, or one.
             * @enum {string}
             */
            match_policy: "all" | "any";
            advertise: boolean;
            rules: components["schemas"]["PromotionRule"][];
            actions: components["schemas"]["PromotionAction"][];
        };
        PromotionRule: {
            id: number;
            /** @enum {string} */
            type: "item_total" | "product" | "taxon" | "user" | "first_order" | "one_use_per_user";
            /** @description Of `product` and `taxon`: whether an order must hold any of them, all or none. Taxons count with all below. */
            match_policy: ("any" | "all" | "none") | null;
            /** @description Of `item_total`: price x quantity of all lines, at least. */
            amount_min: string | null;
            /** @description Of `item_total`: at most. */
            amount_max: string | null;
            /** @description Of `item_total`; orders in others do not fit. */
            currency: string | null;
            product_ids: number[];
            taxon_ids: number[];
            user_ids: number[];
        };
        PromotionAction: {
            id: number;
            /** @enum {string} */
            type: "order_percent" | "order_amount" | "line_percent" | "line_amount" | "free_shipping";
            /** @description 12.5 for 12.5 percent. Of `order_percent`, `line_percent`. */
            percent: string | null;
            /** @description Of `order_amount`, `line_amount`. */
            amount: string | null;
            /** @description Of the amount; orders in others get nothing. */
            currency: string | null;
        };
        OwnShipment: {
            id: number;
            tracking: string | null;
            number: string;
            cost: string;
            shipped_at: string | null;
            /** @enum {string} */
            state: "pending" | "ready" | "shipped" | "canceled";
            /** @description The order's number. */
            order_id: string;
            stock_location_name: string;
            shipping_methods: components["schemas"]["ShippingMethod"][];
            adjustments: components["schemas"]["Adjustment"][];
            selected_shipping_rate: components["schemas"]["ShippingRate"] | null;
            inventory_units: components["schemas"]["InventoryUnit"][];
            order: {
                id: number;
                number: string;
                item_total: string;
                total: string;
                ship_total: string;
                /** @enum {string} */
                state: "cart" | "address" | "delivery" | "payment" | "confirm" | "complete" | "canceled" | "awaiting_return" | "returned" | "resumed";
                adjustment_total: string;
                user_id: number | null;
                created_at: string;
                updated_at: string;
                completed_at: string | null;
                payment_total: string;
                shipment_state: string | null;
                payment_state: string | null;
                email: string | null;
                special_instructions: string | null;
                channel: string;
                included_tax_total: string;
                additional_tax_total: string;
                tax_total: string;
                display_included_tax_total: string;
                display_additional_tax_total: string;
                currency: string;
                considered_risky: boolean;
                canceler_id: number | null;
                display_item_total: string;
                total_quantity: number;
                display_total: string;
                display_ship_total: string;
                display_tax_total: string;
                display_adjustment_total: string;
                /** @description Opens this order to whoever presents it as X-Order-Token or order_token. */
                token: string;
                checkout_steps: string[];
                bill_address: components["schemas"]["Address"] | null;
                ship_address: components["schemas"]["Address"] | null;
                /** @description The order's own. */
                adjustments: components["schemas"]["Adjustment"][];
                payments: {
                    id: number;
                    amount: string;
                    display_amount: string;
                    state: string;
                    payment_method: {
                        id: number;
                        name: string;
                    };
                }[];
            };
        };
        Shipment: {
            id: number;
            tracking: string | null;
            number: string;
            cost: string;
            shipped_at: string | null;
            /** @enum {string} */
            state: "pending" | "ready" | "shipped" | "canceled";
            /** @description The order's number. */
            order_id: string;
            stock_location_name: string;
            shipping_methods: components["schemas"]["ShippingMethod"][];
            adjustments: components["schemas"]["Adjustment"][];
            shipping_rates: components["schemas"]["ShippingRate"][];
            /** @description At most one. */
            selected_shipping_rate: components["schemas"]["ShippingRate"][];
            manifest: {
                variant: components["schemas"]["Variant"];
                quantity: number;
                states: {
                    on_hand?: number;
                    backordered?: number;
                    shipped?: number;
                    returned?: number;
                };
            }[];
        };
        ReturnAuthorization: {
            id: number;
            number: string;
            /** @enum {string} */
            state: "authorized" | "received" | "canceled";
            order_id: number;
            memo: string | null;
            /** @description What is credited, at most the total; 0 for the price paid. */
            amount: string;
            /** @description Where the goods come back to. */
            stock_location_id: number;
            return_authorization_reason_id: number;
            created_at: string;
            updated_at: string;
        };
        InventoryUnitRecord: {
            id: number;
            /** @description How often the unit has changed. */
            lock_version: number;
            /** @enum {string} */
            state: "on_hand" | "backordered" | "shipped" | "returned";
            variant_id: number;
            shipment_id: number;
            return_authorization_id: number | null;
        };
    };
    responses: {
        /** @description Nothing has changed since the reply whose `ETag` came as `If-None-Match`. No body. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The token is unknown, or the caller may not do this. */
        NotAuthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The service cannot answer now. Repeat it. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Any other refusal. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description A fault of the service; it is in its log. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The request cannot be read: malformed JSON, for instance. */
        Unreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Another request is changing the same record. Repeat it. */
        Conflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description More was sent than is accepted. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The input is invalid, or the state of the record forbids it. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidResource"];
            };
        };
        /** @description There is no such record, or the caller may not know of it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description Too many wrong passwords. Repeat it later. */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
        /** @description The state of the record forbids it. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorReply"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request's own, when it was sent and is sound, else a new one; it stands in the log. */
        "X-Request-Id": string;
        /** @description Send it back as `If-None-Match` to be told 304 when nothing changed. */
        ETag: string;
        /** @description Records that match in all. */
        "X-Total-Count": number;
        /** @description The page answered. */
        "X-Page": number;
        /** @description The effective page size. */
        "X-Per-Page": number;
        /** @description How many pages there are. */
        "X-Pages": number;
        /** @description RFC 8288: the first, prev, next and last page. */
        Link: string;
        /** @description Names of conditions and sort fields in `q` that mean nothing here, or are too many, and were left out; separated by commas. */
        "X-Ignored-Conditions": string;
        /** @description Seconds after which to repeat the request. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type AddressAttributes = components['schemas']['AddressAttributes'];
export type CardInput = components['schemas']['CardInput'];
export type CreateUserBody = components['schemas']['CreateUserBody'];
export type UpdateUserBody = components['schemas']['UpdateUserBody'];
export type CreateUserTokenBody = components['schemas']['CreateUserTokenBody'];
export type CreateSessionBody = components['schemas']['CreateSessionBody'];
export type CreateStoreBody = components['schemas']['CreateStoreBody'];
export type UpdateStoreBody = components['schemas']['UpdateStoreBody'];
export type CreateProductBody = components['schemas']['CreateProductBody'];
export type UpdateProductBody = components['schemas']['UpdateProductBody'];
export type CreateProductVariantBody = components['schemas']['CreateProductVariantBody'];
export type UpdateProductVariantBody = components['schemas']['UpdateProductVariantBody'];
export type UpdateProductImageBody = components['schemas']['UpdateProductImageBody'];
export type CreateOptionTypeBody = components['schemas']['CreateOptionTypeBody'];
export type UpdateOptionTypeBody = components['schemas']['UpdateOptionTypeBody'];
export type CreateOptionValueBody = components['schemas']['CreateOptionValueBody'];
export type UpdateOptionValueBody = components['schemas']['UpdateOptionValueBody'];
export type CreateTaxonomyBody = components['schemas']['CreateTaxonomyBody'];
export type UpdateTaxonomyBody = components['schemas']['UpdateTaxonomyBody'];
export type CreateTaxonomyTaxonBody = components['schemas']['CreateTaxonomyTaxonBody'];
export type UpdateTaxonomyTaxonBody = components['schemas']['UpdateTaxonomyTaxonBody'];
export type UpdateClassificationBody = components['schemas']['UpdateClassificationBody'];
export type CreatePropertyBody = components['schemas']['CreatePropertyBody'];
export type UpdatePropertyBody = components['schemas']['UpdatePropertyBody'];
export type CreateProductProductPropertyBody = components['schemas']['CreateProductProductPropertyBody'];
export type UpdateProductProductPropertyBody = components['schemas']['UpdateProductProductPropertyBody'];
export type CreateZoneBody = components['schemas']['CreateZoneBody'];
export type UpdateZoneBody = components['schemas']['UpdateZoneBody'];
export type CreateTaxCategoryBody = components['schemas']['CreateTaxCategoryBody'];
export type UpdateTaxCategoryBody = components['schemas']['UpdateTaxCategoryBody'];
export type CreateTaxRateBody = components['schemas']['CreateTaxRateBody'];
export type UpdateTaxRateBody = components['schemas']['UpdateTaxRateBody'];
export type CreateShippingCategoryBody = components['schemas']['CreateShippingCategoryBody'];
export type UpdateShippingCategoryBody = components['schemas']['UpdateShippingCategoryBody'];
export type CreateShippingMethodBody = components['schemas']['CreateShippingMethodBody'];
export type UpdateShippingMethodBody = components['schemas']['UpdateShippingMethodBody'];
export type CreatePaymentMethodBody = components['schemas']['CreatePaymentMethodBody'];
export type UpdatePaymentMethodBody = components['schemas']['UpdatePaymentMethodBody'];
export type CreateReturnAuthorizationReasonBody = components['schemas']['CreateReturnAuthorizationReasonBody'];
export type UpdateReturnAuthorizationReasonBody = components['schemas']['UpdateReturnAuthorizationReasonBody'];
export type CreateStockLocationBody = components['schemas']['CreateStockLocationBody'];
export type UpdateStockLocationBody = components['schemas']['UpdateStockLocationBody'];
export type CreateStockLocationStockItemBody = components['schemas']['CreateStockLocationStockItemBody'];
export type UpdateStockLocationStockItemBody = components['schemas']['UpdateStockLocationStockItemBody'];
export type CreateStockLocationStockMovementBody = components['schemas']['CreateStockLocationStockMovementBody'];
export type UpdateStockLocationStockMovementBody = components['schemas']['UpdateStockLocationStockMovementBody'];
export type CreateOrderPaymentBody = components['schemas']['CreateOrderPaymentBody'];
export type UpdateOrderPaymentBody = components['schemas']['UpdateOrderPaymentBody'];
export type UpdateOrderAddressBody = components['schemas']['UpdateOrderAddressBody'];
export type CreateOrderBody = components['schemas']['CreateOrderBody'];
export type UpdateOrderBody = components['schemas']['UpdateOrderBody'];
export type ApplyCouponCodeOrderBody = components['schemas']['ApplyCouponCodeOrderBody'];
export type CreateOrderLineItemBody = components['schemas']['CreateOrderLineItemBody'];
export type UpdateOrderLineItemBody = components['schemas']['UpdateOrderLineItemBody'];
export type CreatePromotionBody = components['schemas']['CreatePromotionBody'];
export type UpdatePromotionBody = components['schemas']['UpdatePromotionBody'];
export type CreateShipmentBody = components['schemas']['CreateShipmentBody'];
export type TransferToLocationBody = components['schemas']['TransferToLocationBody'];
export type TransferToShipmentBody = components['schemas']['TransferToShipmentBody'];
export type UpdateShipmentBody = components['schemas']['UpdateShipmentBody'];
export type AddToShipmentBody = components['schemas']['AddToShipmentBody'];
export type CreateOrderReturnAuthorizationBody = components['schemas']['CreateOrderReturnAuthorizationBody'];
export type UpdateOrderReturnAuthorizationBody = components['schemas']['UpdateOrderReturnAuthorizationBody'];
export type AddToOrderReturnAuthorizationBody = components['schemas']['AddToOrderReturnAuthorizationBody'];
export type UpdateInventoryUnitBody = components['schemas']['UpdateInventoryUnitBody'];
export type User = components['schemas']['User'];
export type Address = components['schemas']['Address'];
export type Country = components['schemas']['Country'];
export type State = components['schemas']['State'];
export type ErrorReply = components['schemas']['ErrorReply'];
export type NewUser = components['schemas']['NewUser'];
export type InvalidResource = components['schemas']['InvalidResource'];
export type AttributeList = components['schemas']['AttributeList'];
export type ApiToken = components['schemas']['ApiToken'];
export type NewApiToken = components['schemas']['NewApiToken'];
export type Session = components['schemas']['Session'];
export type Store = components['schemas']['Store'];
export type Config = components['schemas']['Config'];
export type MoneyConfig = components['schemas']['MoneyConfig'];
export type Product = components['schemas']['Product'];
export type Variant = components['schemas']['Variant'];
export type OptionValue = components['schemas']['OptionValue'];
export type Image = components['schemas']['Image'];
export type OptionType = components['schemas']['OptionType'];
export type ProductProperty = components['schemas']['ProductProperty'];
export type Classification = components['schemas']['Classification'];
export type Taxon = components['schemas']['Taxon'];
export type TaxonFields = components['schemas']['TaxonFields'];
export type VariantWithStock = components['schemas']['VariantWithStock'];
export type VariantStockItem = components['schemas']['VariantStockItem'];
export type Taxonomy = components['schemas']['Taxonomy'];
export type TaxonTree = components['schemas']['TaxonTree'];
export type JstreeNode = components['schemas']['JstreeNode'];
export type Property = components['schemas']['Property'];
export type CountryWithStates = components['schemas']['CountryWithStates'];
export type Zone = components['schemas']['Zone'];
export type ZoneMember = components['schemas']['ZoneMember'];
export type TaxCategory = components['schemas']['TaxCategory'];
export type TaxRate = components['schemas']['TaxRate'];
export type ShippingCategory = components['schemas']['ShippingCategory'];
export type ShippingMethodSettings = components['schemas']['ShippingMethodSettings'];
export type PaymentMethodSettings = components['schemas']['PaymentMethodSettings'];
export type ReturnAuthorizationReason = components['schemas']['ReturnAuthorizationReason'];
export type StockLocation = components['schemas']['StockLocation'];
export type StockItem = components['schemas']['StockItem'];
export type StockMovement = components['schemas']['StockMovement'];
export type CreditCard = components['schemas']['CreditCard'];
export type Payment = components['schemas']['Payment'];
export type NewPayment = components['schemas']['NewPayment'];
export type StateChange = components['schemas']['StateChange'];
export type OrderSummary = components['schemas']['OrderSummary'];
export type Order = components['schemas']['Order'];
export type LineItem = components['schemas']['LineItem'];
export type Adjustment = components['schemas']['Adjustment'];
export type OrderPayment = components['schemas']['OrderPayment'];
export type OrderShipment = components['schemas']['OrderShipment'];
export type ShippingMethod = components['schemas']['ShippingMethod'];
export type ShippingRate = components['schemas']['ShippingRate'];
export type InventoryUnit = components['schemas']['InventoryUnit'];
export type OfferedPaymentMethod = components['schemas']['OfferedPaymentMethod'];
export type CouponResult = components['schemas']['CouponResult'];
export type Promotion = components['schemas']['Promotion'];
export type PromotionRule = components['schemas']['PromotionRule'];
export type PromotionAction = components['schemas']['PromotionAction'];
export type OwnShipment = components['schemas']['OwnShipment'];
export type Shipment = components['schemas']['Shipment'];
export type ReturnAuthorization = components['schemas']['ReturnAuthorization'];
export type InventoryUnitRecord = components['schemas']['InventoryUnitRecord'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponseNotAuthorized = components['responses']['NotAuthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseRefused = components['responses']['Refused'];
export type ResponseFailed = components['responses']['Failed'];
export type ResponseUnreadable = components['responses']['Unreadable'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseInvalid = components['responses']['Invalid'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseTooManyAttempts = components['responses']['TooManyAttempts'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderXTotalCount = components['headers']['X-Total-Count'];
export type HeaderXPage = components['headers']['X-Page'];
export type HeaderXPerPage = components['headers']['X-Per-Page'];
export type HeaderXPages = components['headers']['X-Pages'];
export type HeaderLink = components['headers']['Link'];
export type HeaderXIgnoredConditions = components['headers']['X-Ignored-Conditions'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type $defs = Record<string, never>;
export interface operations {
    listUsers: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[email_cont]=a&q[s]=email desc`.
                 */
                q?: UsersSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        users: components["schemas"]["User"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewUser"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 15
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listUserTokens: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: UserTokensSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        tokens: components["schemas"]["ApiToken"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createUserToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateUserTokenBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateUserTokenBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiToken"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteUserToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                user_id: number;
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateSessionBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyAttempts"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStores: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stores: components["schemas"]["Store"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createStore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStoreBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateStoreBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewStore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStoreBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateStoreBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Config"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getConfigMoney: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoneyConfig"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
                /** @description Discontinued ones too. For admins; false unless told. */
                show_discontinued?: boolean;
                /** @description Exactly these, as `1,2,3` or a list; `q` is then ignored. */
                ids?: number[];
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ProductsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        products: components["schemas"]["Product"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProductBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateProductBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getProduct: {
        parameters: {
            query?: {
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description Permalink or id; the permalink is tried first.
                 * @example stoneware-mug
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Permalink or id; the permalink is tried first.
                 * @example stoneware-mug
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProductBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Permalink or id; the permalink is tried first.
                 * @example stoneware-mug
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listProductVariants: {
        parameters: {
            query?: {
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[sku_cont]=a&q[s]=sku desc`.
                 */
                q?: ProductVariantsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        variants: components["schemas"]["VariantWithStock"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createProductVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateProductVariantBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateProductVariantBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewProductVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getProductVariant: {
        parameters: {
            query?: {
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateProductVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProductVariantBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductVariantBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteProductVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listVariants: {
        parameters: {
            query?: {
                /** @description Permalink or id of the product. */
                product_id?: string;
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[sku_cont]=a&q[s]=sku desc`.
                 */
                q?: ProductVariantsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        variants: components["schemas"]["VariantWithStock"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createVariant: {
        parameters: {
            query?: {
                /**
                 * @description Permalink or id of the product.
                 * @example 12
                 */
                product_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateProductVariantBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateProductVariantBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewVariant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getVariant: {
        parameters: {
            query?: {
                /** @description Permalink or id of the product. */
                product_id?: string;
                /** @description Deleted ones too. For admins; false unless told. */
                show_deleted?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateVariant: {
        parameters: {
            query?: {
                /** @description Permalink or id of the product. */
                product_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProductVariantBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductVariantBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantWithStock"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteVariant: {
        parameters: {
            query?: {
                /** @description Permalink or id of the product. */
                product_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listProductImages: {
        parameters: {
            query?: {
                /** @description Those of deleted records too. For admins; false unless told. */
                show_deleted?: boolean | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[alt_cont]=a&q[s]=alt desc`.
                 */
                q?: ProductImagesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: components["schemas"]["Image"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    "image[attachment]": Blob;
                    "image[alt]"?: string | null;
                    "image[position]"?: number | null;
                    "image[viewable_id]"?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getProductImage: {
        parameters: {
            query?: {
                /** @description Those of deleted records too. For admins; false unless told. */
                show_deleted?: boolean | null;
            };
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 103
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 103
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    "image[attachment]"?: Blob;
                    "image[alt]"?: string | null;
                    "image[position]"?: number | null;
                    "image[viewable_id]"?: number | null;
                };
                "application/json": components["schemas"]["UpdateProductImageBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductImageBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteProductImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example 103
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listVariantImages: {
        parameters: {
            query?: {
                /** @description Those of deleted records too. For admins; false unless told. */
                show_deleted?: boolean | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[alt_cont]=a&q[s]=alt desc`.
                 */
                q?: ProductImagesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: components["schemas"]["Image"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createVariantImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    "image[attachment]": Blob;
                    "image[alt]"?: string | null;
                    "image[position]"?: number | null;
                    "image[viewable_id]"?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewVariantImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getVariantImage: {
        parameters: {
            query?: {
                /** @description Those of deleted records too. For admins; false unless told. */
                show_deleted?: boolean | null;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
                /**
                 * @description The id of the record.
                 * @example 104
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateVariantImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
                /**
                 * @description The id of the record.
                 * @example 104
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    "image[attachment]"?: Blob;
                    "image[alt]"?: string | null;
                    "image[position]"?: number | null;
                    "image[viewable_id]"?: number | null;
                };
                "application/json": components["schemas"]["UpdateProductImageBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductImageBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteVariantImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variant.
                 * @example 107
                 */
                variant_id: number;
                /**
                 * @description The id of the record.
                 * @example 104
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOptionTypes: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: OptionTypesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionType"][];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOptionType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOptionTypeBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOptionTypeBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionType"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOptionType: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOptionType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionType"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOptionType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOptionTypeBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOptionTypeBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionType"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOptionType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOptionValues: {
        parameters: {
            query?: {
                /** @description Only those of this option type. */
                option_type_id?: number | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: OptionValuesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"][];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOptionValueBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOptionValueBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOptionValueBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOptionValueBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOptionTypeOptionValues: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: OptionValuesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"][];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOptionTypeOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOptionValueBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOptionValueBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOptionTypeOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOptionTypeOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOptionTypeOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOptionValueBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOptionValueBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionValue"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOptionTypeOptionValue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the option type.
                 * @example 1
                 */
                option_type_id: number;
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxonomies: {
        parameters: {
            query?: {
                /** @description `nested` gives the whole trees. */
                set?: "nested" | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: TaxonomiesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        taxonomies: components["schemas"]["Taxonomy"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaxonomyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateTaxonomyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxonomy"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxonomy: {
        parameters: {
            query?: {
                /** @description `nested` gives the whole trees. */
                set?: "nested" | null;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxonomy"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTaxonomyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateTaxonomyBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxonomy"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteTaxonomy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxonomyJstree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JstreeNode"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxonomyTaxons: {
        parameters: {
            query?: {
                /** @description True leaves out what is below the taxons of the list. */
                without_children?: boolean;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: TaxonomyTaxonsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        taxons: components["schemas"]["TaxonTree"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createTaxonomyTaxon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaxonomyTaxonBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateTaxonomyTaxonBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxon"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewTaxonomyTaxon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxonomyTaxon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
                /**
                 * @description The id of the record.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxon"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateTaxonomyTaxon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
                /**
                 * @description The id of the record.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTaxonomyTaxonBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateTaxonomyTaxonBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Taxon"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteTaxonomyTaxon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
                /**
                 * @description The id of the record.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxonomyTaxonJstree: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the taxonomy.
                 * @example 1
                 */
                taxonomy_id: number;
                /**
                 * @description The id of the record.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JstreeNode"][];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxons: {
        parameters: {
            query?: {
                /** @description True leaves out what is below the taxons of the list. */
                without_children?: boolean;
                /** @description Exactly these, as `1,2,3` or a list; `q` is then ignored. */
                ids?: number[] | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: TaxonomyTaxonsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        taxons: components["schemas"]["TaxonTree"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxonProducts: {
        parameters: {
            query?: {
                /**
                 * @description The id of the taxon.
                 * @example 15
                 */
                id?: number | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 500 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ProductsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        products: components["schemas"]["Product"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateClassification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateClassificationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateClassificationBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listProperties: {
        parameters: {
            query?: {
                /** @description Exactly these, as `1,2,3` or a list; `q` is then ignored. */
                ids?: number[] | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: PropertiesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        properties: components["schemas"]["Property"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createProperty: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePropertyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreatePropertyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewProperty: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePropertyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdatePropertyBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listProductProductProperties: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[value_cont]=a&q[s]=value desc`.
                 */
                q?: ProductProductPropertiesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        product_properties: components["schemas"]["ProductProperty"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createProductProductProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateProductProductPropertyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateProductProductPropertyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductProperty"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewProductProductProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getProductProductProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example material
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductProperty"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateProductProductProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example material
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProductProductPropertyBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateProductProductPropertyBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductProperty"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteProductProductProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The permalink or the id of the product.
                 * @example stoneware-mug
                 */
                product_id: string | number;
                /**
                 * @description The id of the record.
                 * @example material
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listCountries: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: CountriesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        countries: components["schemas"]["Country"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getCountry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountryWithStates"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStates: {
        parameters: {
            query?: {
                /** @description Only those of this country. */
                country_id?: number;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: StatesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        states: components["schemas"]["State"][];
                        count?: number;
                        total_count?: number;
                        current_page?: number;
                        per_page?: number;
                        pages?: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 398
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["State"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listCountryStates: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: StatesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the country.
                 * @example 1
                 */
                country_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        states: components["schemas"]["State"][];
                        count?: number;
                        total_count?: number;
                        current_page?: number;
                        per_page?: number;
                        pages?: number;
                        states_required: boolean;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getCountryState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the country.
                 * @example 1
                 */
                country_id: number;
                /**
                 * @description The id of the record.
                 * @example 398
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["State"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listZones: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ZonesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        zones: components["schemas"]["Zone"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createZone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateZoneBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateZoneBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewZone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateZoneBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateZoneBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteZone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxCategories: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: TaxCategoriesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        tax_categories: components["schemas"]["TaxCategory"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createTaxCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaxCategoryBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateTaxCategoryBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxCategory"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewTaxCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxCategory"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateTaxCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTaxCategoryBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateTaxCategoryBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxCategory"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteTaxCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listTaxRates: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: TaxRatesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        tax_rates: components["schemas"]["TaxRate"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createTaxRate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaxRateBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateTaxRateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRate"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewTaxRate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getTaxRate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRate"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateTaxRate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTaxRateBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateTaxRateBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRate"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteTaxRate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listShippingCategories: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ShippingCategoriesSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        shipping_categories: components["schemas"]["ShippingCategory"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createShippingCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShippingCategoryBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateShippingCategoryBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingCategory"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewShippingCategory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getShippingCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingCategory"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateShippingCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShippingCategoryBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateShippingCategoryBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingCategory"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteShippingCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listShippingMethods: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ShippingMethodsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        shipping_methods: components["schemas"]["ShippingMethodSettings"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShippingMethodBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateShippingMethodBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingMethodSettings"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingMethodSettings"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShippingMethodBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateShippingMethodBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShippingMethodSettings"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteShippingMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: PaymentMethodsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        payment_methods: components["schemas"]["PaymentMethodSettings"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentMethodBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreatePaymentMethodBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodSettings"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodSettings"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updatePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentMethodBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdatePaymentMethodBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodSettings"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deletePaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listReturnAuthorizationReasons: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: ReturnAuthorizationReasonsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        return_authorization_reasons: components["schemas"]["ReturnAuthorizationReason"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createReturnAuthorizationReason: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReturnAuthorizationReasonBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateReturnAuthorizationReasonBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorizationReason"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewReturnAuthorizationReason: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getReturnAuthorizationReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorizationReason"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateReturnAuthorizationReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateReturnAuthorizationReasonBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateReturnAuthorizationReasonBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorizationReason"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteReturnAuthorizationReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 10
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStockLocations: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: StockLocationsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        stock_locations: components["schemas"]["StockLocation"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createStockLocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStockLocationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateStockLocationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockLocation"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getStockLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockLocation"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateStockLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStockLocationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateStockLocationBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockLocation"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteStockLocation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStockLocationStockItems: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[id_in]=1&q[s]=id desc`.
                 */
                q?: StockLocationStockItemsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        stock_items: components["schemas"]["StockItem"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createStockLocationStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 2
                 */
                stock_location_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateStockLocationStockItemBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateStockLocationStockItemBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getStockLocationStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateStockLocationStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStockLocationStockItemBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateStockLocationStockItemBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteStockLocationStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStockItems: {
        parameters: {
            query?: {
                /**
                 * @description The stock location whose items are listed.
                 * @example 1
                 */
                stock_location_id?: number | null;
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[id_in]=1&q[s]=id desc`.
                 */
                q?: StockLocationStockItemsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        stock_items: components["schemas"]["StockItem"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStockLocationStockItemBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateStockLocationStockItemBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockItem"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteStockItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 107
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listStockLocationStockMovements: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[action_cont]=a&q[s]=action desc`.
                 */
                q?: StockLocationStockMovementsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        stock_movements: components["schemas"]["StockMovement"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createStockLocationStockMovement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateStockLocationStockMovementBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateStockLocationStockMovementBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockMovement"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getStockLocationStockMovement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockMovement"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateStockLocationStockMovement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the stock location.
                 * @example 1
                 */
                stock_location_id: number;
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateStockLocationStockMovementBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateStockLocationStockMovementBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockMovement"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listUserCreditCards: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[cc_type_cont]=a&q[s]=cc_type desc`.
                 */
                q?: UserCreditCardsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        credit_cards: components["schemas"]["CreditCard"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: PaymentsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        payments: components["schemas"]["Payment"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOrderPayments: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: PaymentsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        payments: components["schemas"]["Payment"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R666288986
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateOrderPaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOrderPaymentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPayment"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCC45175
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R196244566
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCB9B1DE
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderPaymentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderPaymentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    authorizeOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R196244566
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCB9B1DE
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    captureOrderPayment: {
        parameters: {
            query?: {
                /**
                 * @description A decimal number.
                 * @example 20.00
                 */
                amount?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R196244566
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCB9B1DE
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    purchaseOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R196244566
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCB9B1DE
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    voidOrderPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R196244566
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCB9B1DE
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    creditOrderPayment: {
        parameters: {
            query?: {
                /**
                 * @description A decimal number.
                 * @example 5.00
                 */
                amount?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the payment, or its number.
                 * @example PCC45175
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOrderHistory: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 500 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[subject_type_cont]=a&q[s]=subject_type desc`.
                 */
                q?: getOrderHistorySearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        state_changes: components["schemas"]["StateChange"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOrderAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
                /**
                 * @description The id of the record.
                 * @example 17
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOrderAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
                /**
                 * @description The id of the record.
                 * @example 17
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderAddressBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderAddressBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: OrdersSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        orders: components["schemas"]["OrderSummary"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateOrderBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOrderBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOwnOrders: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: OrdersSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        orders: components["schemas"]["Order"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getCurrentOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    emptyOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R147780117
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R842799866
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    approveOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R878669336
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    applyCouponCodeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApplyCouponCodeOrderBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ApplyCouponCodeOrderBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponResult"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            /** @description The input is invalid, or the state of the record forbids it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponResult"] | components["schemas"]["InvalidResource"];
                };
            };
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    removeCouponCodeOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApplyCouponCodeOrderBody"];
                "application/x-www-form-urlencoded": components["schemas"]["ApplyCouponCodeOrderBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponResult"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            /** @description The input is invalid, or the state of the record forbids it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponResult"] | components["schemas"]["InvalidResource"];
                };
            };
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOrderCouponCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
                /**
                 * @description The coupon code.
                 * @example SUMMER
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOrderLineItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOrderLineItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateOrderLineItemBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOrderLineItemBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOrderLineItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
                /**
                 * @description The id of the record.
                 * @example 9
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderLineItemBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderLineItemBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOrderLineItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R592245669
                 */
                number: string;
                /**
                 * @description The id of the record.
                 * @example 9
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    nextCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R579831110
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    advanceCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R919769566
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R106664068
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listPromotions: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[name_cont]=a&q[s]=name desc`.
                 */
                q?: PromotionsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        promotions: components["schemas"]["Promotion"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePromotionBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreatePromotionBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getPromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updatePromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePromotionBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdatePromotionBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Promotion"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deletePromotion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOwnShipments: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: OwnShipmentsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnShipment"][];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createShipment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    transferToLocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferToLocationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["TransferToLocationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        message: "Variants successfully transferred";
                    };
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            /** @description The input is invalid, or the state of the record forbids it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        message: string;
                    } | components["schemas"]["InvalidResource"];
                };
            };
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    transferToShipment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferToShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["TransferToShipmentBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        message: "Variants successfully transferred";
                    };
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            /** @description The input is invalid, or the state of the record forbids it. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: false;
                        message: string;
                    } | components["schemas"]["InvalidResource"];
                };
            };
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the shipment, or one it had before.
                 * @example H38244325401
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    readyShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the shipment, or one it had before.
                 * @example H38244325401
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    shipShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the shipment, or one it had before.
                 * @example H38244325401
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    addToShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the shipment, or one it had before.
                 * @example H19624456601
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddToShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["AddToShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    removeFromShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the shipment, or one it had before.
                 * @example H87866933601
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddToShipmentBody"];
                "application/x-www-form-urlencoded": components["schemas"]["AddToShipmentBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    listOrderReturnAuthorizations: {
        parameters: {
            query?: {
                /** @description The page, from 1. One beyond the last is empty. */
                page?: number;
                /** @description Records per page: 25 unless told, 500 at most. */
                per_page?: number;
                /**
                 * @description Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.
                 *     For example `q[number_cont]=a&q[s]=number desc`.
                 */
                q?: OrderReturnAuthorizationsSearch;
                /** One condition, as it stands in a URL. */
                [condition: `q[${string}]`]: SearchValue;
            };
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Page": components["headers"]["X-Page"];
                    "X-Per-Page": components["headers"]["X-Per-Page"];
                    "X-Pages": components["headers"]["X-Pages"];
                    Link: components["headers"]["Link"];
                    "X-Ignored-Conditions": components["headers"]["X-Ignored-Conditions"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Records on this page.
                         * @example 1
                         */
                        count: number;
                        /**
                         * @description Records that match in all.
                         * @example 1
                         */
                        total_count: number;
                        /** @example 1 */
                        current_page: number;
                        /**
                         * @description The effective page size.
                         * @example 25
                         */
                        per_page: number;
                        /**
                         * @description How many pages there are; 0 when nothing matches.
                         * @example 1
                         */
                        pages: number;
                        return_authorizations: components["schemas"]["ReturnAuthorization"][];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    createOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R268286187
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateOrderReturnAuthorizationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateOrderReturnAuthorizationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    describeNewOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attributes: string[];
                        required_attributes: string[];
                        return_authorization_reasons: {
                            id: number;
                            name: string;
                        }[];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA933696692
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA933696692
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrderReturnAuthorizationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateOrderReturnAuthorizationBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    deleteOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA933696692
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    addToOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA933696692
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddToOrderReturnAuthorizationBody"];
                "application/x-www-form-urlencoded": components["schemas"]["AddToOrderReturnAuthorizationBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    receiveOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R933696692
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA933696692
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    cancelOrderReturnAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the order.
                 * @example R513009135
                 */
                number: string;
                /**
                 * @description The id of the return, or its number.
                 * @example RA513009135
                 */
                id: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnAuthorization"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getInventoryUnit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryUnitRecord"];
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    updateInventoryUnit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the record.
                 * @example 28
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateInventoryUnitBody"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateInventoryUnitBody"];
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryUnitRecord"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["NotAuthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            401: components["responses"]["NotAuthorized"];
            503: components["responses"]["Unavailable"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["Failed"];
        };
    };
}
