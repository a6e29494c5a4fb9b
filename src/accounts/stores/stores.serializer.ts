import type { StoreRow } from './stores.repository';
import type { StoreJson } from './stores.schema';

export function serializeStore(store: StoreRow): StoreJson {
  return {
    id: store.id,
    name: store.name,
    url: store.url,
    code: store.code,
    mail_from_address: store.mail_from_address,
    meta_description: store.meta_description,
    meta_keywords: store.meta_keywords,
    seo_title: store.seo_title,
    is_default: store.is_default,
    currency: store.currency,
    default_country_id: store.default_country_id,
    track_inventory_levels: store.track_inventory_levels,
    auto_capture: store.auto_capture,
    auto_capture_on_dispatch: store.auto_capture_on_dispatch,
    tax_using_ship_address: store.tax_using_ship_address,
    created_at: store.created_at.toISOString(),
    updated_at: store.updated_at.toISOString(),
  };
}
