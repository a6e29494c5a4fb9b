import type { Migration } from '../src/platform/database/migrations/steps';
import * as foundation from './20261121_0100_foundation';
import * as geography from './20261121_0200_geography';
import * as accounts from './20261121_0300_accounts';
import * as catalog from './20261121_0400_catalog';
import * as inventory from './20261121_0500_inventory';
import * as settings from './20261121_0600_settings';
import * as catalogRevisions from './20261121_0700_catalog_revisions';
import * as orders from './20261121_0800_orders';
import * as payments from './20261121_0900_payments';
import * as shipments from './20261121_1000_shipments';
import * as promotions from './20261121_1100_promotions';
import * as seeds from './20261121_1200_seeds';
import * as idempotencyKeys from './20261122_0300_idempotency_keys';
import * as tokenUse from './20261122_0310_token_use';
import * as soldRecords from './20261122_0900_sold_records';
import * as paymentCeilings from './20261122_1010_payment_ceilings';
import * as refundReasons from './20261122_1020_refund_reasons';
import * as keptAdjustments from './20261122_1110_kept_adjustments';
import * as returnItems from './20261122_1120_return_items';
import * as shipmentCosts from './20261122_1200_shipment_costs';
import * as stockBooks from './20261122_1300_stock_books';
import * as cardProfiles from './20261122_1400_card_profiles';
import * as paymentAlerts from './20261122_1410_payment_alerts';
import * as orderChanges from './20261122_1420_order_changes';
import * as agreedPrices from './20261122_1500_agreed_prices';
import * as importedShipments from './20261122_1510_imported_shipments';
import * as rolesAndScopes from './20261122_1600_roles_and_scopes';
import * as rateLimits from './20261122_1610_rate_limits';
import * as indexDiet from './20261122_1700_index_diet';
import * as productVersions from './20261122_1800_product_versions';
import * as storeFormats from './20261122_1900_store_formats';
import * as documents from './20261122_1910_documents';
import * as referenceRevisions from './20261122_2000_reference_revisions';
import * as imports from './20261122_2100_imports';
import * as searchDocuments from './20261122_2200_search_documents';
import * as productListings from './20261122_2210_product_listings';
import * as passwordResets from './20261122_2300_password_resets';
import * as userAddresses from './20261122_2310_user_addresses';
import * as auditLog from './20261122_2400_audit_log';
import * as milliseconds from './20261122_2500_milliseconds';
import * as feeds from './20261122_2510_feeds';
import * as changeTimes from './20261122_2520_change_times';
import * as metadata from './20261122_2600_metadata';
import * as mergedUsers from './20261122_2700_merged_users';
import * as guestEmailLocks from './20261122_2710_guest_email_locks';
import * as canceledImports from './20261122_2800_canceled_imports';
import * as erasuresWithoutValues from './20261122_2810_erasures_without_values';
import * as closedAdjustments from './20261122_2820_closed_adjustments';
import * as sharedRevisions from './20261122_2900_shared_revisions';
import * as checkoutIndexes from './20261122_2910_checkout_indexes';
import * as writtenShipments from './20261122_2920_written_shipments';
import * as foldedChecks from './20261122_3000_folded_checks';
import * as unitTriggers from './20261122_3010_unit_triggers';
import * as pricesOfManyProducts from './20261122_3100_prices_of_many_products';
import * as idempotencyReplies from './20261123_1100_idempotency_replies';
import * as secretKeys from './20261123_1010_secret_keys';
import * as randomRevisions from './20261123_3000_random_revisions';
import * as feedMarks from './20261123_3010_feed_marks';
import * as namedTimes from './20261123_6000_named_times';
import * as documentSettings from './20261123_7010_document_settings';
import * as releasedFreights from './20261124_3010_released_freights';
import * as taxedAdjustments from './20261124_3020_taxed_adjustments';
import * as returnFreights from './20261123_8000_return_freights';
import * as paymentStatesOfFreeOrders from './20261123_8010_payment_states_of_free_orders';
import * as bookEntries from './20261124_4010_book_entries';
import * as keptInvoices from './20261124_4020_kept_invoices';
import * as documentOffsets from './20261124_4110_document_offsets';
import * as waitingPayments from './20261125_6010_waiting_payments';
import * as auditOfUnits from './20261123_8320_audit_of_units';
import * as searchAsTyped from './20261124_7010_search_as_typed';
import * as unitsSold from './20261124_7020_units_sold';
import * as productRelations from './20261124_7030_product_relations';
import * as lastShippedUnits from './20261123_8310_last_shipped_units';
import * as documentContents from './20261123_7020_document_contents';
import * as orderSearch from './20261123_8400_order_search';
import * as committedUnits from './20261123_8410_committed_units';
import * as shipmentRows from './20261124_5010_shipment_rows';
import * as orderLinks from './20261124_5020_order_links';
import * as returnRequests from './20261124_5030_return_requests';
import * as logos from './20261124_5050_logos';
import * as queueWorkers from './20261125_5000_queue_workers';
import * as jobRuns from './20261125_7000_job_runs';
import * as events from './20261125_5010_events';
import * as mails from './20261125_7010_mails';
import * as drawnListings from './20261126_3000_drawn_listings';
import * as webhooks from './20261125_5020_webhooks';
import * as twoFactors from './20261126_5010_two_factors';
import * as untaxedPartsOfReturns from './20261127_2010_untaxed_parts_of_returns';
import * as returnRemainders from './20261128_4001_return_remainders';

/** All migrations in the order in which they run. Never rename a released migration: its name is stored in every database. */
export const migrations: Migration[] = [
  { name: '20261121_0100_foundation', ...foundation },
  { name: '20261121_0200_geography', ...geography },
  { name: '20261121_0300_accounts', ...accounts },
  { name: '20261121_0400_catalog', ...catalog },
  { name: '20261121_0500_inventory', ...inventory },
  { name: '20261121_0600_settings', ...settings },
  { name: '20261121_0700_catalog_revisions', ...catalogRevisions },
  { name: '20261121_0800_orders', ...orders },
  { name: '20261121_0900_payments', ...payments },
  { name: '20261121_1000_shipments', ...shipments },
  { name: '20261121_1100_promotions', ...promotions },
  { name: '20261121_1200_seeds', ...seeds },
  { name: '20261122_0300_idempotency_keys', ...idempotencyKeys },
  { name: '20261122_0310_token_use', ...tokenUse },
  { name: '20261122_0900_sold_records', ...soldRecords },
  { name: '20261122_1010_payment_ceilings', ...paymentCeilings },
  { name: '20261122_1020_refund_reasons', ...refundReasons },
  { name: '20261122_1110_kept_adjustments', ...keptAdjustments },
  { name: '20261122_1120_return_items', ...returnItems },
  { name: '20261122_1200_shipment_costs', ...shipmentCosts },
  { name: '20261122_1300_stock_books', ...stockBooks },
  { name: '20261122_1400_card_profiles', ...cardProfiles },
  { name: '20261122_1410_payment_alerts', ...paymentAlerts },
  { name: '20261122_1420_order_changes', ...orderChanges },
  { name: '20261122_1500_agreed_prices', ...agreedPrices },
  { name: '20261122_1510_imported_shipments', ...importedShipments },
  { name: '20261122_1600_roles_and_scopes', ...rolesAndScopes },
  { name: '20261122_1610_rate_limits', ...rateLimits },
  { name: '20261122_1700_index_diet', ...indexDiet },
  { name: '20261122_1800_product_versions', ...productVersions },
  { name: '20261122_1900_store_formats', ...storeFormats },
  { name: '20261122_1910_documents', ...documents },
  { name: '20261122_2000_reference_revisions', ...referenceRevisions },
  { name: '20261122_2100_imports', ...imports },
  { name: '20261122_2200_search_documents', ...searchDocuments },
  { name: '20261122_2210_product_listings', ...productListings },
  { name: '20261122_2300_password_resets', ...passwordResets },
  { name: '20261122_2310_user_addresses', ...userAddresses },
  { name: '20261122_2400_audit_log', ...auditLog },
  { name: '20261122_2500_milliseconds', ...milliseconds },
  { name: '20261122_2510_feeds', ...feeds },
  { name: '20261122_2520_change_times', ...changeTimes },
  { name: '20261122_2600_metadata', ...metadata },
  { name: '20261122_2700_merged_users', ...mergedUsers },
  { name: '20261122_2710_guest_email_locks', ...guestEmailLocks },
  { name: '20261122_2800_canceled_imports', ...canceledImports },
  { name: '20261122_2810_erasures_without_values', ...erasuresWithoutValues },
  { name: '20261122_2820_closed_adjustments', ...closedAdjustments },
  { name: '20261122_2900_shared_revisions', ...sharedRevisions },
  { name: '20261122_2910_checkout_indexes', ...checkoutIndexes },
  { name: '20261122_2920_written_shipments', ...writtenShipments },
  { name: '20261122_3000_folded_checks', ...foldedChecks },
  { name: '20261122_3010_unit_triggers', ...unitTriggers },
  { name: '20261122_3100_prices_of_many_products', ...pricesOfManyProducts },
  { name: '20261123_1010_secret_keys', ...secretKeys },
  { name: '20261123_3000_random_revisions', ...randomRevisions },
  { name: '20261123_3010_feed_marks', ...feedMarks },
  { name: '20261123_6000_named_times', ...namedTimes },
  { name: '20261123_7010_document_settings', ...documentSettings },
  { name: '20261123_8000_return_freights', ...returnFreights },
  { name: '20261123_8010_payment_states_of_free_orders', ...paymentStatesOfFreeOrders },
  { name: '20261123_7020_document_contents', ...documentContents },
  { name: '20261123_8400_order_search', ...orderSearch },
  { name: '20261123_8410_committed_units', ...committedUnits },
  { name: '20261123_8310_last_shipped_units', ...lastShippedUnits },
  { name: '20261123_1100_idempotency_replies', ...idempotencyReplies },
  { name: '20261123_8320_audit_of_units', ...auditOfUnits },
  { name: '20261124_7010_search_as_typed', ...searchAsTyped },
  { name: '20261124_7020_units_sold', ...unitsSold },
  { name: '20261124_7030_product_relations', ...productRelations },
  { name: '20261124_5010_shipment_rows', ...shipmentRows },
  { name: '20261124_4010_book_entries', ...bookEntries },
  { name: '20261124_5020_order_links', ...orderLinks },
  { name: '20261124_3010_released_freights', ...releasedFreights },
  { name: '20261124_3020_taxed_adjustments', ...taxedAdjustments },
  { name: '20261124_5030_return_requests', ...returnRequests },
  { name: '20261124_5050_logos', ...logos },
  { name: '20261124_4020_kept_invoices', ...keptInvoices },
  { name: '20261124_4110_document_offsets', ...documentOffsets },
  { name: '20261125_5000_queue_workers', ...queueWorkers },
  { name: '20261125_7000_job_runs', ...jobRuns },
  { name: '20261125_6010_waiting_payments', ...waitingPayments },
  { name: '20261125_5010_events', ...events },
  { name: '20261125_7010_mails', ...mails },
  { name: '20261125_5020_webhooks', ...webhooks },
  { name: '20261126_3000_drawn_listings', ...drawnListings },
  { name: '20261126_5010_two_factors', ...twoFactors },
  { name: '20261127_2010_untaxed_parts_of_returns', ...untaxedPartsOfReturns },
  { name: '20261128_4001_return_remainders', ...returnRemainders },
];
