import { isPgError } from '../platform/database/pg-errors';
import { BLANK, INVALID, InvalidResource, TAKEN, type FieldErrors } from '../platform/errors';
import { prefixErrors } from '../platform/nested-errors';

/**
 * The field errors for violated database constraints. Services check these rules first where they can; constraints
 * catch races and rules that only the database can check.
 */
const CONSTRAINTS: Record<string, FieldErrors> = {
  tax_categories_name_unique: { name: [TAKEN] },
  tax_rates_zone_id_fkey: { zone_id: [INVALID] },
  shipping_categories_name_unique: { name: [TAKEN] },
  shipping_method_categories_category_fkey: { shipping_category_ids: [INVALID] },
  shipping_method_zones_zone_fkey: { zone_ids: [INVALID] },
  return_authorization_reasons_name_unique: { name: [TAKEN] },
  return_authorizations_reason_id_fkey: { reason: [BLANK] },
  products_slug_unique: { slug: [TAKEN] },
  products_shipping_category_id_fkey: { shipping_category_id: [INVALID] },
  products_tax_category_id_fkey: { tax_category_id: [INVALID] },
  variants_sku_unique: { sku: [TAKEN] },
  variants_tax_category_id_fkey: { tax_category_id: [INVALID] },
  variants_cost_currency_format: { cost_currency: [INVALID] },
  option_types_name_unique: { name: [TAKEN] },
  option_values_name_unique: { name: [TAKEN] },
  option_values_option_type_id_fkey: { option_type: [INVALID] },
  variant_option_values_option_value_id_fkey: { option_value_ids: [INVALID] },
  product_option_types_option_type_id_fkey: { option_type_ids: [INVALID] },
  properties_name_unique: { name: [TAKEN] },
  product_properties_property_unique: { property: [TAKEN] },
  product_relations_unique: { related_id: [TAKEN] },
  product_relations_others: { related_id: [INVALID] },
  classifications_taxon_id_fkey: { taxon_ids: [INVALID] },
  classifications_product_taxon_unique: { taxon_id: ['is already linked to this product'] },
  users_email_unique: { email: [TAKEN] },
  roles_name_unique: { name: [TAKEN] },
  // The role `admin` always exists.
  roles_only_admin_has_all: { name: [TAKEN] },
  user_roles_role_id_fkey: { roles: [INVALID] },
  stores_code_unique: { code: [TAKEN] },
  stores_default_country_id_fkey: { default_country_id: [INVALID] },
  stores_issuer_country_id_fkey: { issuer_country_id: [INVALID] },
  zones_name_unique: { name: [TAKEN] },
  stock_items_location_variant_unique: { variant_id: [TAKEN] },
  stock_items_count_on_hand_owed: { count_on_hand: ['must be greater than or equal to 0'] },
  stock_locations_country_id_fkey: { country: [BLANK] },
  promotions_code_unique: { code: [TAKEN] },
  promotions_path_unique: { path: [TAKEN] },
  promotion_rule_products_product_id_fkey: { 'rules.product_ids': [INVALID] },
  promotion_rule_taxons_taxon_id_fkey: { 'rules.taxon_ids': [INVALID] },
  promotion_rule_users_user_id_fkey: { 'rules.user_ids': [INVALID] },
  orders_number_unique: { number: [TAKEN] },
  orders_user_id_fkey: { user_id: [INVALID] },
  stock_locations_state_id_fkey: { state: [INVALID] },
  shipments_number_unique: { number: [TAKEN] },
};

/** Returns the field errors of a violated constraint; null for other errors and unknown constraints. */
export function findConstraintErrors(error: unknown): FieldErrors | null {
  if (!isPgError(error) || error.constraint === undefined) return null;
  return CONSTRAINTS[error.constraint] ?? null;
}

/**
 * Runs `work`, which writes nested records, and prefixes its field errors and violated constraints, as the parent reports them:
 * `variants.sku`.
 */
export async function withPrefixedErrors<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errors = error instanceof InvalidResource ? error.errors : findConstraintErrors(error);
    throw errors === null ? error : new InvalidResource(prefixErrors(prefix, errors));
  }
}
