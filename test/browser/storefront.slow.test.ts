import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testApp } from '../support/api';
import { listen, type Listening } from '../support/listen';
import { setStock } from '../support/orders.factory';
import { withPage, type OpenPage } from '../support/playwright';
import { anOptionType, aProduct, aVariant } from '../support/products.factory';
import { aTaxon, aTaxonomy } from '../support/taxons.factory';
import { servePage } from './serve-page';

/*
 * A shop built with the typed client: a category page with facets, a search, a product page and a cart
 * (storefront/), used in a browser.
 */

const HTML = readFileSync(path.join(__dirname, 'storefront/index.html'), 'utf8');

let store: Listening;
let page: Listening;
let address: string;
let names: { color: string; size: string; material: string };

/** A product of the category: its colors and sizes with a price each, and how many units of every variant there are. */
interface SoldProduct {
  name: string;
  material: string;
  variants: [color: string, size: string, price: string][];
  stock: number;
}

const PRODUCTS: SoldProduct[] = [
  {
    name: 'Breton Jersey',
    material: 'cotton',
    stock: 5,
    variants: [
      ['navy', 'S', '30'],
      ['navy', 'M', '32.50'],
      ['red', 'M', '35'],
    ],
  },
  { name: 'Harbour Smock', material: 'linen', stock: 5, variants: [['navy', 'S', '60']] },
  { name: 'Sailor Cap', material: 'cotton', stock: 0, variants: [['red', 'S', '12']] },
];

beforeAll(async () => {
  const color = await anOptionType('Color', 'navy', 'red');
  const size = await anOptionType('Size', 'S', 'M');
  names = { color: color.name, size: size.name, material: 'Material' };
  const taxon = await aTaxon(await aTaxonomy({ name: 'Categories' }), { name: 'Clothing' });
  const idOf = (type: any, name: string) => type.option_values.find((value: any) => value.name === name).id;
  for (const { name, material, variants, stock } of PRODUCTS) {
    const product = await aProduct({
      name,
      price: '10',
      taxon_ids: [taxon.id],
      option_type_ids: [color.id, size.id],
      product_properties_attributes: [{ property_name: names.material, value: material }],
    });
    for (const [hue, extent, price] of variants) {
      const { id } = await aVariant(product, {
        price,
        option_value_ids: [idOf(color, hue), idOf(size, extent)],
      });
      await setStock(id, { stock });
    }
  }
  await aProduct({ name: 'Breton Poster' }); // in no category
  store = await listen(testApp().app);
  page = await servePage(HTML, path.join(__dirname, 'storefront/page.ts'));
  address = `${page.url}/?store=${encodeURIComponent(store.url)}&taxon=${encodeURIComponent(taxon.permalink)}`;
});

afterAll(async () => {
  await page?.close();
  await store?.close();
});

/** What a visitor does and sees. Every action waits until the page has shown its result. */
function visitor({ evaluate }: OpenPage) {
  const settled = `new Promise((resolve) => {
    const look = () => document.body && !document.body.hasAttribute('data-busy') ? resolve() : setTimeout(look, 5);
    look();
  })`;
  const act = async (script: string): Promise<void> => {
    await evaluate(`(() => { ${script} })()`);
    await evaluate(settled);
  };
  const select = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
  const read = (expression: string): Promise<any> => evaluate(`(() => ${expression})()`);
  const texts = (selector: string): Promise<any> =>
    read(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((found) => found.textContent.trim())`,
    );
  return {
    arrive: () =>
      evaluate(`new Promise((resolve) => {
        const look = () => document.querySelector('#total')?.textContent ? resolve() : setTimeout(look, 5);
        look();
      })`),
    click: (selector: string) => act(`${select(selector)}.click()`),
    search: (words: string) =>
      act(`${select('#words')}.value = ${JSON.stringify(words)}; ${select('#search')}.requestSubmit()`),
    enter: (selector: string, value: string) =>
      act(`const field = ${select(selector)}; field.value = ${JSON.stringify(value)};
           field.dispatchEvent(new Event('change'))`),
    /** The products of the list, and the counts of every facet. */
    see: async () => ({
      products: await texts('#products li'),
      total: (await texts('#total'))[0],
      facets:
        await read(`Object.fromEntries([...document.querySelectorAll('#facets [data-value]')].map((label) =>
        [label.dataset.value, Number(label.querySelector('output').textContent)]))`),
    }),
    textOf: async (selector: string) => (await texts(selector))[0],
    texts,
    isDisabled: (selector: string) => read(`${select(selector)}.disabled`),
  };
}

/** The input of a facet's value. */
const facet = (value: string) => `#facets [data-value="${value}"] input`;

test('a visitor filters, searches, chooses a variant and fills a cart', async () => {
  await withPage(address, async (open) => {
    const { arrive, click, enter, search, see, textOf, texts, isDisabled } = visitor(open);
    await arrive();
    expect(await see()).toEqual({
      total: '3 products',
      products: ['Breton Jersey $30.00 – $35.00', 'Harbour Smock $60.00', 'Sailor Cap $12.00 (sold out)'],
      facets: { navy: 2, red: 2, S: 3, M: 1, cotton: 2, linen: 1, 'in stock': 2 },
    });

    // A facet narrows the products and the counts of the others, but not its own.
    await click(facet('red'));
    expect(await see()).toMatchObject({
      total: '2 products',
      products: ['Breton Jersey $30.00 – $35.00', 'Sailor Cap $12.00 (sold out)'],
      facets: { navy: 2, red: 2, S: 1, M: 1, cotton: 2, 'in stock': 1 },
    });
    await click(facet('in stock'));
    expect(await see()).toMatchObject({ products: ['Breton Jersey $30.00 – $35.00'] });
    await click(facet('navy'));
    expect((await see()).total).toBe('2 products');
    await click(facet('linen'));
    expect(await see()).toMatchObject({ products: ['Harbour Smock $60.00'] });
    await enter('#price_max', '40');
    // A chosen value without products can be unchosen.
    expect(await see()).toMatchObject({ total: '0 products', facets: { linen: 0 } });
    await click(facet('linen'));
    expect(await see()).toMatchObject({ products: ['Breton Jersey $30.00 – $35.00'] });
    for (const value of ['red', 'navy', 'in stock']) await click(facet(value));
    await enter('#price_max', '');
    expect((await see()).total).toBe('3 products');

    await search('jersy');
    expect(await see()).toMatchObject({ total: '1 products', products: ['Breton Jersey $30.00 – $35.00'] });

    await click('#products a');
    expect(await texts('h1, #price')).toEqual(['Breton Jersey', '$10.00']);
    expect(await isDisabled('#add')).toBe(true);
    await enter(`select[name="${names.color}"]`, 'navy');
    expect(await isDisabled('#add')).toBe(true);
    await enter(`select[name="${names.size}"]`, 'M');
    expect([await textOf('#price'), await isDisabled('#add')]).toEqual(['$32.50', false]);

    await click('#add');
    expect(await texts('#cart li, #totals')).toEqual([
      `1 × Breton Jersey (Color: navy, Size: M): $32.50`,
      '1 units, $32.50',
    ]);
    await enter(`select[name="${names.color}"]`, 'red');
    await click('#add');
    await click('#add');
    expect(await texts('#cart li, #totals')).toEqual([
      '1 × Breton Jersey (Color: navy, Size: M): $32.50',
      '2 × Breton Jersey (Color: red, Size: M): $70.00',
      '3 units, $102.50',
    ]);
    // No such variant.
    await enter(`select[name="${names.size}"]`, 'S');
    expect(await isDisabled('#add')).toBe(true);

    expect(open.errors).toEqual([]);
    const origins = new Set(
      open.requestedUrls.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin),
    );
    expect([...origins].sort()).toEqual([page.url, store.url].sort());
  });
});
