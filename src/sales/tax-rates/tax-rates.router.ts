import { AttributeListJson } from '../../platform/http/attribute-list';
import { apiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { IdParams } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { TAX_RATE_REQUIRED, TaxRateCreate, TaxRateJson, TaxRateUpdate } from './tax-rates.schema';
import { taxRateSearch } from './tax-rates.search';
import { serializeTaxRate } from './tax-rates.serializer';
import { changeTaxRate, createTaxRate, getTaxRate, listTaxRates, removeTaxRate } from './tax-rates.service';

export function taxRatesRouter(): ApiRouter {
  const router = apiRouter('Tax rates');

  endpoint(router, 'get /tax_rates', {
    access: 'admin',
    summary: 'What is charged where on which kind of goods',
    search: taxRateSearch,
    paged: { key: 'tax_rates', item: TaxRateJson },
    handle: async (ctx, { list }) => mapPage(await listTaxRates(ctx, list), serializeTaxRate),
  });
  endpoint(router, 'get /tax_rates/new', {
    access: 'admin',
    summary: 'What a tax rate has, and needs',
    reply: AttributeListJson,
    handle: () =>
      Promise.resolve({
        attributes: Object.keys(TaxRateJson.shape),
        required_attributes: [...TAX_RATE_REQUIRED],
      }),
  });
  endpoint(router, 'get /tax_rates/:id', {
    access: 'admin',
    summary: 'One tax rate',
    params: IdParams,
    reply: TaxRateJson,
    handle: async (ctx, { params }) => serializeTaxRate(await getTaxRate(ctx, params.id)),
  });
  endpoint(router, 'post /tax_rates', {
    access: 'admin',
    summary: 'Create a tax rate',
    input: TaxRateCreate,
    status: 201,
    reply: TaxRateJson,
    handle: async (ctx, { input }) => serializeTaxRate(await createTaxRate(ctx, input.tax_rate)),
  });
  endpoint(router, 'put /tax_rates/:id', {
    access: 'admin',
    summary: 'Change a tax rate; completed orders keep what they were charged',
    params: IdParams,
    input: TaxRateUpdate,
    subject: (ctx, params) => getTaxRate(ctx, params.id),
    reply: TaxRateJson,
    handle: async (ctx, { params, input }) =>
      serializeTaxRate(await changeTaxRate(ctx, params.id, input.tax_rate)),
  });
  endpoint(router, 'delete /tax_rates/:id', {
    access: 'admin',
    summary: 'Stop charging a tax rate',
    params: IdParams,
    status: 204,
    handle: (ctx, { params }) => removeTaxRate(ctx, params.id),
  });
  return router;
}
