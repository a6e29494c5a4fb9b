import { z } from 'zod';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { buildMoneyFormat } from '../../platform/money-format';
import { getStoreConfig } from '../stores/stores.service';
import { namedObject } from '../../platform/http/named-object';

const ConfigJson = z.object({ default_country_id: z.int().nullable() }).meta({ id: 'Config' });

const StoreConfigJson = namedObject('StoreConfig', {
  name: z.string().nullable().describe('The name of the store. Null before the first store is created.'),
  currency: z.string().describe('The currency of new orders, as in ISO 4217.'),
  time_zone: z
    .string()
    .describe('The time zone of the days in reports and documents, such as `Europe/Berlin`.'),
  default_country_id: z.int().nullable().describe('The country that forms begin with.'),
});

const MoneyConfigJson = namedObject('MoneyConfig', {
  symbol: z.string().describe('The symbol of the currency, such as `$`.'),
  symbol_position: z.enum(['before', 'after']).describe('The place of the symbol, next to the amount.'),
  no_cents: z.boolean().describe('Whether the currency has no minor unit.'),
  decimal_mark: z.string().describe('The separator before the minor unit.'),
  thousands_separator: z.string().describe('The separator of groups of three digits.'),
});

export function configRouter(): ApiRouter {
  const router = createApiRouter('Config', 'settings');

  endpoint(router, 'get /config', {
    access: 'anyone',
    summary: 'Get the settings for a storefront',
    description: 'Cacheable; the same for all callers.',
    reply: ConfigJson,
    handle: async (ctx) => ({ default_country_id: (await getStoreConfig(ctx)).default_country_id }),
  });
  endpoint(router, 'get /config/store', {
    access: 'anyone',
    summary: 'Get the name, currency, time zone and country of the store',
    description: 'Cacheable; the same for all callers.',
    reply: StoreConfigJson,
    handle: async (ctx) => {
      const { name, currency, time_zone, default_country_id } = await getStoreConfig(ctx);
      return { name, currency, time_zone, default_country_id };
    },
  });
  endpoint(router, 'get /config/money', {
    access: 'anyone',
    summary: 'Get the format of amounts in the currency of the store',
    description: 'Use it to format amounts like the `display_*` fields.',
    reply: MoneyConfigJson,
    handle: async (ctx) => buildMoneyFormat(await getStoreConfig(ctx)),
  });
  return router;
}
