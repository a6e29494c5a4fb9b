import type { Response } from 'supertest';
import { api, type Caller } from './api';
import { createEmptyShop, type OwnShop } from './own-shop';

/** A shop in Germany, created from an empty database through the API. Ids and records are from its replies. */
export interface GermanShop extends OwnShop {
  /** Ships and receives returns; created by the first admin, with its own token. */
  employee: ReturnType<typeof api>;
  as(caller: Caller): ReturnType<typeof api>;
  countries: { germany: number; switzerland: number };
  taxes: { standard: number; reduced: number };
  rates: { standard: number; reduced: number };
  locations: { berlin: number; hamburg: number };
  methods: { parcel: number; express: number; abroad: number };
  card: number;
  reason: number;
  /** A product with stock at one location: the id of its master and the path of the stock item. */
  aProduct(
    attributes: { tax_category_id: number; name?: string; price?: string },
    stock: ProductWithStock,
  ): Promise<{ variant_id: number; item: string }>;
}

export interface ProductWithStock {
  location: number;
  count: number;
}

function expectCreated(reply: Response): any {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

/**
 * Creates a shop with prices in EUR including VAT of 19 percent (7 on books), and stock in Berlin and
 * Hamburg. "Paket" costs 4.90, nothing from 50.00 per shipment; "Express" 9.90; both taxed at 19 percent.
 * "Ausland" ships to Switzerland for 15.00.
 */
export async function createGermanShop(): Promise<GermanShop> {
  const shop = await createEmptyShop();
  const { admin } = shop;
  const as = (caller: Caller) => api(caller, shop.app);
  const create = async (path: string, body: object): Promise<any> =>
    expectCreated(await admin.post(path, body));

  const countryId = async (iso: string): Promise<number> =>
    expectCreated(await admin.get(`/countries?q[iso_eq]=${iso}`)).countries[0].id;
  const countries = { germany: await countryId('DE'), switzerland: await countryId('CH') };
  await create('/stores', {
    store: {
      name: 'Laden',
      url: 'laden.example.com',
      code: 'laden',
      mail_from_address: 'laden@example.com',
      currency: 'EUR',
      default_country_id: countries.germany,
      tax_using_ship_address: true,
    },
  });
  const zoneId = async (name: string, country: number, default_tax: boolean): Promise<number> =>
    (
      await create('/zones', {
        zone: { name, default_tax, zone_members: [{ zoneable_type: 'Country', zoneable_id: country }] },
      })
    ).id;
  const home = await zoneId('Deutschland', countries.germany, true);
  const abroad = await zoneId('Schweiz', countries.switzerland, false);

  const taxes = await setTaxes(create);
  const rates = await setRates(create, taxes, home);
  const locations = await openLocations(create, countries.germany);
  const category = await create('/shipping_categories', { shipping_category: { name: 'Ware' } });
  const methods = await setMethods(create, { home, abroad, category: category.id, tax: taxes.standard });
  const card = await create('/payment_methods', {
    payment_method: { name: 'Kreditkarte', gateway: 'bogus', auto_capture: false },
  });
  const reason = await create('/return_authorization_reasons', {
    return_authorization_reason: { name: 'Gefällt nicht' },
  });
  const hired = await create('/users', {
    user: { email: 'lager@example.com', password: 'lager-geheim', roles: ['admin'] },
  });
  const desk = await create(`/users/${hired.id}/tokens`, { api_token: { name: 'Versand' } });

  return {
    ...shop,
    as,
    countries,
    taxes,
    rates,
    locations,
    methods,
    card: card.id,
    reason: reason.id,
    employee: as({ token: desk.token }),
    aProduct: async (attributes, { location, count }) => {
      const product = await create('/products', {
        product: { shipping_category_id: category.id, ...attributes },
      });
      const itemsPath = `/stock_locations/${location}/stock_items`;
      const found = expectCreated(await admin.get(`${itemsPath}?q[variant_id_eq]=${product.master.id}`));
      const item = `${itemsPath}/${found.stock_items[0].id}`;
      expectCreated(await admin.put(item, { stock_item: { count_on_hand: count, force: true } }));
      return { variant_id: product.master.id, item };
    },
  };
}

type Create = (path: string, body: object) => Promise<any>;

async function setTaxes(create: Create): Promise<GermanShop['taxes']> {
  const standard = await create('/tax_categories', { tax_category: { name: 'Regelsatz', is_default: true } });
  const reduced = await create('/tax_categories', { tax_category: { name: 'Ermäßigt' } });
  return { standard: standard.id, reduced: reduced.id };
}

async function setRates(
  create: Create,
  taxes: GermanShop['taxes'],
  zone_id: number,
): Promise<GermanShop['rates']> {
  const vat = { name: 'USt.', zone_id, included_in_price: true };
  const standard = { ...vat, amount: '0.19', tax_category_id: taxes.standard };
  const reduced = { ...vat, amount: '0.07', tax_category_id: taxes.reduced };
  return {
    standard: (await create('/tax_rates', { tax_rate: standard })).id,
    reduced: (await create('/tax_rates', { tax_rate: reduced })).id,
  };
}

async function openLocations(create: Create, country_id: number): Promise<GermanShop['locations']> {
  const berlin = { name: 'Berlin', default: true, country_id };
  const hamburg = { name: 'Hamburg', country_id };
  return {
    berlin: (await create('/stock_locations', { stock_location: berlin })).id,
    hamburg: (await create('/stock_locations', { stock_location: hamburg })).id,
  };
}

async function setMethods(
  create: Create,
  { home, abroad, category, tax }: { home: number; abroad: number; category: number; tax: number },
): Promise<GermanShop['methods']> {
  const method = async (name: string, calculator: object, zone_id: number): Promise<number> =>
    (
      await create('/shipping_methods', {
        shipping_method: {
          name,
          code: name.toUpperCase(),
          tax_category_id: tax,
          ...calculator,
          zone_ids: [zone_id],
          shipping_category_ids: [category],
        },
      })
    ).id;
  const flat = (amount: string) => ({
    calculator_type: 'flat_rate',
    calculator_preferences: { amount, currency: 'EUR' },
  });
  const sack = {
    calculator_type: 'price_sack',
    calculator_preferences: {
      minimal_amount: '50',
      normal_amount: '4.90',
      discount_amount: '0',
      currency: 'EUR',
    },
  };
  return {
    parcel: await method('Paket', sack, home),
    express: await method('Express', flat('9.90'), home),
    abroad: await method('Ausland', flat('15'), abroad),
  };
}
