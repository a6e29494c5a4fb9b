import { storeReference } from '../docs-content/store-reference';
import { createApiRouter, type ApiRouter } from './access/api-router';
import { apiTokensRouter } from './accounts/api-tokens/api-tokens.router';
import { rolesRouter } from './accounts/roles/roles.router';
import { eventsRouter } from './events/events.router';
import { webhooksRouter } from './events/webhooks/webhooks.router';
import { auditLogRouter } from './accounts/audit-log/audit-log.router';
import { configRouter } from './accounts/config/config.router';
import { savedAddressesRouter } from './accounts/saved-addresses/saved-addresses.router';
import { passwordResetsRouter } from './accounts/password-resets/password-resets.router';
import { sessionsRouter } from './accounts/sessions/sessions.router';
import { storesRouter } from './accounts/stores/stores.router';
import { twoFactorRouter } from './accounts/two-factor/two-factor.router';
import { usersRouter } from './accounts/users/users.router';
import { imagesRouter } from './catalog/images/images.router';
import { optionTypesRouter } from './catalog/option-types/option-types.router';
import { optionValuesRouter } from './catalog/option-values/option-values.router';
import { productsRouter } from './catalog/products/products.router';
import { classificationsRouter } from './catalog/classifications/classifications.router';
import { productRelationsRouter } from './catalog/product-relations/product-relations.router';
import { productPropertiesRouter } from './catalog/product-properties/product-properties.router';
import { propertiesRouter } from './catalog/properties/properties.router';
import { shippingCategoriesRouter } from './catalog/shipping-categories/shipping-categories.router';
import { taxCategoriesRouter } from './catalog/tax-categories/tax-categories.router';
import { taxonomiesRouter } from './catalog/taxonomies/taxonomies.router';
import { taxonsRouter } from './catalog/taxons/taxons.router';
import { variantsRouter } from './catalog/variants/variants.router';
import { countriesRouter } from './geography/countries/countries.router';
import { statesRouter } from './geography/countries/states.router';
import { zonesRouter } from './geography/zones/zones.router';
import { stockItemsRouter } from './inventory/stock-items/stock-items.router';
import { stockLocationsRouter } from './inventory/stock-locations/stock-locations.router';
import { stockMovementsRouter } from './inventory/stock-movements/stock-movements.router';
import { adjustmentsRouter } from './sales/adjustments/adjustments.router';
import { mailsRouter } from './mails/mails.router';
import { undeliveredMailsRouter } from './mails/undelivered-mails.router';
import { reportsRouter } from './reports/reports.router';
import { creditCardsRouter } from './sales/credit-cards/credit-cards.router';
import { mergeAccountsRouter } from './sales/customers/merge-accounts.router';
import { personalDataRouter } from './sales/customers/personal-data.router';
import { checkoutRouter } from './sales/checkout/checkout.router';
import { inventoryUnitsRouter } from './sales/inventory-units/inventory-units.router';
import { lineItemsRouter } from './sales/line-items/line-items.router';
import { logosRouter } from './sales/documents/logos.router';
import { documentsRouter } from './sales/documents/documents.router';
import { packingSlipsRouter } from './sales/documents/packing-slips.router';
import { historyRouter } from './sales/history/state-changes.router';
import { orderAddressesRouter } from './sales/orders/order-addresses.router';
import { ordersRouter } from './sales/orders/orders.router';
import { paymentsRouter } from './sales/payments/payments.router';
import { waitingPaymentsRouter } from './sales/payments/waiting-payments.router';
import { returnRequestsRouter } from './sales/return-authorizations/return-requests.router';
import { returnAuthorizationsRouter } from './sales/return-authorizations/return-authorizations.router';
import { promotionsRouter } from './sales/promotions/promotions.router';
import { shipmentsRouter } from './sales/shipments/shipments.router';
import { paymentMethodsRouter } from './sales/payment-methods/payment-methods.router';
import { returnReasonsRouter } from './sales/return-authorization-reasons/return-authorization-reasons.router';
import { shippingMethodsRouter } from './sales/shipping-methods/shipping-methods.router';
import { taxRatesRouter } from './sales/tax-rates/tax-rates.router';
import { bulkRouter } from './exchange/bulk/bulk.router';
import { exportsRouter } from './exchange/exports/exports.router';
import { importsRouter } from './exchange/imports/imports.router';
import { createProductDocuments } from './catalog/products/product-documents';
import { addCheckoutPaths } from './sales/orders/checkout-paths';
import { associateOnSignIn } from './sales/orders/associate-order.service';
import { declareDocument } from './platform/openapi/openapi.router';
import type { Ctx } from './sales/context';

/** Builds the routers of all resources, in the order in which requests are matched. */
export function apiRouters(): ApiRouter<Ctx>[] {
  const documents = createProductDocuments();
  const routers = [
    usersRouter(associateOnSignIn),
    apiTokensRouter(),
    twoFactorRouter(),
    rolesRouter(),
    sessionsRouter(associateOnSignIn),
    passwordResetsRouter(),
    savedAddressesRouter(),
    storesRouter(),
    auditLogRouter(),
    eventsRouter(),
    webhooksRouter(),
    configRouter(),
    productsRouter(documents),
    variantsRouter(),
    imagesRouter(),
    optionTypesRouter(),
    optionValuesRouter(),
    taxonomiesRouter(),
    taxonsRouter(documents),
    classificationsRouter(),
    propertiesRouter(),
    productPropertiesRouter(),
    productRelationsRouter(documents),
    countriesRouter(),
    statesRouter(),
    zonesRouter(),
    taxCategoriesRouter(),
    taxRatesRouter(),
    shippingCategoriesRouter(),
    shippingMethodsRouter(),
    paymentMethodsRouter(),
    returnReasonsRouter(),
    stockLocationsRouter(),
    stockItemsRouter(),
    stockMovementsRouter(),
    creditCardsRouter(),
    personalDataRouter(),
    mergeAccountsRouter(),
    paymentsRouter(),
    waitingPaymentsRouter(),
    historyRouter(),
    packingSlipsRouter(),
    documentsRouter(),
    logosRouter(),
    orderAddressesRouter(),
    ordersRouter(),
    lineItemsRouter(),
    checkoutRouter(),
    promotionsRouter(),
    shipmentsRouter(),
    adjustmentsRouter(),
    returnAuthorizationsRouter(),
    returnRequestsRouter(),
    inventoryUnitsRouter(),
    reportsRouter(),
    mailsRouter(),
    undeliveredMailsRouter(),
    bulkRouter(),
    importsRouter(),
    exportsRouter(),
  ].map(addCheckoutPaths);
  const reference = createApiRouter('Reference', 'any');
  declareDocument(reference, 'anyone', { routers, reference: storeReference });
  return [...routers, reference];
}
