import type { OwnShop } from '../../support/own-shop';
import type { Charge } from './account';
import { printAmount, readRate } from './figures';

/** A shop to play in: what it sells, taxes and charges for freight. Amounts are in the smallest unit of its currency. */
interface Plan {
  currency: string;
  digits: number;
  country: string;
  time_zone: string;
  rounding: 'line' | 'document';
  /** Whether prices include the taxes. */
  isIncluded: boolean;
  /** The rates of each tax category. Goods of a category without rates are exempt. */
  categories: Record<string, string[]>;
  /** The category of each product with its price. */
  products: [category: string, price: bigint][];
  freight: { category: string; amount: bigint; freeFrom: bigint | null };
  /** Where the taxes apply, and a place where they do not, with the reason. */
  home: { country: string; state?: string; state_name?: string };
  away: { country: string; state?: string; reason: string };
}

export const PLANS = {
  German: {
    currency: 'EUR',
    digits: 2,
    country: 'DE',
    time_zone: 'Europe/Berlin',
    rounding: 'line',
    isIncluded: true,
    categories: { Regelsatz: ['0.19'], Ermäßigt: ['0.07'], Briefmarken: [] },
    products: [
      ['Regelsatz', 999n],
      ['Regelsatz', 4995n],
      ['Ermäßigt', 1249n],
      ['Ermäßigt', 333n],
      ['Briefmarken', 500n],
    ],
    freight: { category: 'Regelsatz', amount: 490n, freeFrom: 5000n },
    home: { country: 'DE' },
    away: { country: 'CH', reason: 'export' },
  },
  'New York': {
    currency: 'USD',
    digits: 2,
    country: 'US',
    time_zone: 'America/New_York',
    rounding: 'line',
    isIncluded: false,
    categories: { General: ['0.04', '0.04875'], Clothing: ['0.04375'], Food: [] },
    products: [
      ['General', 1999n],
      ['General', 707n],
      ['Clothing', 11995n],
      ['Clothing', 333n],
      ['Food', 850n],
    ],
    freight: { category: 'General', amount: 695n, freeFrom: null },
    home: { country: 'US', state: 'NY' },
    away: { country: 'US', state: 'OR', reason: 'no_zone' },
  },
  Japanese: {
    currency: 'JPY',
    digits: 0,
    country: 'JP',
    time_zone: 'Asia/Tokyo',
    rounding: 'document',
    isIncluded: true,
    categories: { 標準: ['0.1'], 軽減: ['0.08'], 非課税: [] },
    products: [
      ['標準', 1999n],
      ['標準', 12345n],
      ['軽減', 777n],
      ['軽減', 131n],
      ['非課税', 1000n],
    ],
    freight: { category: '標準', amount: 555n, freeFrom: 10_000n },
    home: { country: 'JP', state_name: 'Tokyo' },
    away: { country: 'CH', reason: 'export' },
  },
} as const satisfies Record<string, Plan>;

export type ShopName = keyof typeof PLANS;

export interface Ware {
  variant_id: number;
  product_id: number;
  price: bigint;
  charge: Charge;
}

/** A discount that a code gives. */
export interface Code {
  code: string;
  type: 'line_percent' | 'order_percent' | 'order_amount' | 'line_amount' | 'free_shipping';
  value: bigint;
}

/** A shop as it was made through its API. */
export interface Shop {
  name: ShopName;
  plan: Plan;
  own: OwnShop;
  wares: Ware[];
  freight: Charge;
  codes: Code[];
  addresses: { home: object; away: object };
  methods: { card: number };
  location_id: number;
  reason_id: number;
  print(amount: bigint): string;
}

type Create = (path: string, body: object) => Promise<any>;

/** Sets up a shop in an empty store. */
export async function openShop(name: ShopName, own: OwnShop): Promise<Shop> {
  const plan: Plan = PLANS[name];
  const send = async (reply: Promise<{ status: number; text: string; body: any }>): Promise<any> => {
    const { status, text, body } = await reply;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return body;
  };
  const create: Create = (path, body) => send(own.admin.post(path, body));
  const find = async (path: string, key: string): Promise<any> => (await send(own.admin.get(path)))[key][0];
  const countryOf = async (iso: string): Promise<any> => find(`/countries?q[iso_eq]=${iso}`, 'countries');
  const country = await countryOf(plan.country);
  await create('/stores', {
    store: {
      name,
      url: 'shop.example.com',
      code: 'shop',
      mail_from_address: 'shop@example.com',
      currency: plan.currency,
      default_country_id: country.id,
      tax_using_ship_address: true,
      time_zone: plan.time_zone,
      document_tax_rounding: plan.rounding,
      default: true,
    },
  });
  const locate = async ({ country: iso, state }: { country: string; state?: string }): Promise<any> => {
    const { id } = await countryOf(iso);
    const found =
      state === undefined ? null : await find(`/states?q[abbr_eq]=${state}&q[country_id_eq]=${id}`, 'states');
    return { country_id: id, state_id: found?.id ?? null };
  };
  const zoneOf = async (title: string, place: any, default_tax: boolean): Promise<number> => {
    const member =
      place.state_id === null
        ? { zoneable_type: 'Country', zoneable_id: place.country_id }
        : { zoneable_type: 'State', zoneable_id: place.state_id };
    return (await create('/zones', { zone: { name: title, default_tax, zone_members: [member] } })).id;
  };
  const places = { home: await locate(plan.home), away: await locate(plan.away) };
  const home = await zoneOf('Home', places.home, plan.isIncluded);
  const zones = [home, await zoneOf('Away', places.away, false)];
  const charges = await createRates(plan, home, create);
  const category = await create('/shipping_categories', { shipping_category: { name: 'Goods' } });
  const print = (amount: bigint): string => printAmount(amount, plan.digits);
  const taxed = charges.get(plan.freight.category);
  await create('/shipping_methods', {
    shipping_method: {
      name: 'Parcel',
      tax_category_id: taxed?.id,
      zone_ids: zones,
      shipping_category_ids: [category.id],
      calculator_type: 'price_sack',
      calculator_preferences: {
        minimal_amount: print(plan.freight.freeFrom ?? 10n ** 9n),
        normal_amount: print(plan.freight.amount),
        discount_amount: '0',
        currency: plan.currency,
      },
    },
  });
  const location = await create('/stock_locations', {
    stock_location: { name: 'Store', default: true, country_id: country.id },
  });
  const wares: Ware[] = [];
  for (const [title, price] of plan.products) {
    const { id, charge } = charges.get(title) ?? { id: 0, charge: null };
    if (charge === null) throw new Error(`no category ${title}`);
    const product = await create('/products', {
      product: {
        name: `${title} ${price}`,
        price: print(price),
        tax_category_id: id,
        shipping_category_id: category.id,
        available_on: '2020-01-01',
      },
    });
    const variant_id: number = product.master.id;
    const items = `/stock_locations/${location.id}/stock_items`;
    const item = await find(`${items}?q[variant_id_eq]=${variant_id}`, 'stock_items');
    await send(own.admin.put(`${items}/${item.id}`, { stock_item: { count_on_hand: 100_000, force: true } }));
    wares.push({ variant_id, product_id: product.id, price, charge });
  }
  const card = await create('/payment_methods', {
    payment_method: { name: 'Card', gateway: 'bogus', auto_capture: false },
  });
  const reason = await create('/return_authorization_reasons', {
    return_authorization_reason: { name: 'Broken' },
  });
  return {
    name,
    plan,
    own,
    wares,
    print,
    location_id: location.id,
    reason_id: reason.id,
    freight: taxed?.charge ?? { rates: [], isIncluded: false, isRelieved: false, reason: 'exempt' },
    codes: await createCodes(plan, create, print),
    methods: { card: card.id },
    addresses: {
      home: buildAddress({
        ...places.home,
        ...(plan.home.state_name !== undefined && { state_name: plan.home.state_name }),
      }),
      away: buildAddress(places.away),
    },
  };
}

const buildAddress = (place: object): object => ({
  firstname: 'Ann',
  lastname: 'Lee',
  address1: '1 Oak St',
  city: 'Town',
  zipcode: '10115',
  phone: '0301234',
  ...place,
});

async function createRates(
  plan: Plan,
  zone_id: number,
  create: Create,
): Promise<Map<string, { id: number; charge: Charge }>> {
  const charges = new Map<string, { id: number; charge: Charge }>();
  for (const [name, amounts] of Object.entries(plan.categories)) {
    const { id } = await create('/tax_categories', { tax_category: { name } });
    const rates: { id: number; rate: ReturnType<typeof readRate> }[] = [];
    for (const amount of amounts) {
      const rate = await create('/tax_rates', {
        tax_rate: {
          name: `Tax ${amount}`,
          amount,
          zone_id,
          tax_category_id: id,
          included_in_price: plan.isIncluded,
        },
      });
      rates.push({ id: rate.id, rate: readRate(amount) });
    }
    const isTaxed = rates.length > 0;
    const reason = isTaxed ? null : 'exempt';
    charges.set(name, { id, charge: { rates, isIncluded: plan.isIncluded, isRelieved: false, reason } });
  }
  return charges;
}

async function createCodes(plan: Plan, create: Create, print: (amount: bigint) => string): Promise<Code[]> {
  const flat = plan.digits === 0 ? 700n : 733n;
  const codes: Code[] = [
    { code: 'LINE15', type: 'line_percent', value: 15n },
    { code: 'ALL10', type: 'order_percent', value: 10n },
    { code: 'FLAT', type: 'order_amount', value: flat },
    { code: 'EACH', type: 'line_amount', value: flat / 5n },
    { code: 'FREE', type: 'free_shipping', value: 0n },
  ];
  for (const { code, type, value } of codes) {
    const terms = type.endsWith('percent')
      ? { percent: String(value) }
      : type.endsWith('amount')
        ? { amount: print(value) }
        : {};
    await create('/promotions', { promotion: { name: code, code, actions: [{ type, ...terms }] } });
  }
  return codes;
}
