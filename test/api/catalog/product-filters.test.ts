import request from 'supertest';
import { api, testApp } from '../../support/api';
import { asAdmin } from '../../support/accounts.factory';
import { testDb } from '../../support/database';
import { aSellableVariant, orderInState, setStock } from '../../support/orders.factory';
import { anOptionType, aProduct, aVariant } from '../../support/products.factory';
import { listQueries } from '../../support/queries';
import { aTaxon, aTaxonomy } from '../../support/taxons.factory';
import { unique } from '../../support/unique';
import { FACET_BOUNDS } from '../../../src/catalog/product-queries/facet-bounds';
import { refreshSearchLanguage } from '../../../src/catalog/product-queries/search-upkeep.job';
import { removeUnusedListingSets } from '../../../src/catalog/product-queries/search-upkeep.repository';

/** Returns the ids of the products on the list. */
async function find(query: string): Promise<number[]> {
  const { status, body } = await api().get(`/products?${query}`);
  expect(status).toBe(200);
  return body.products.map(({ id }: { id: number }) => id);
}

/** A word that no other product has. */
const aWord = () =>
  unique('zq')
    .replace(/[^a-z]/gi, '')
    .toLowerCase() + [...Array(6)].map(() => 'abcdefgh'[Math.floor(Math.random() * 8)]).join('');

describe('search', () => {
  test('finds words in any order in name, description, sku, options, properties and names of taxons', async () => {
    const word = aWord();
    const type = await anOptionType('Colour', 'Vermilion');
    const taxonomy = await aTaxonomy();
    const parent = await aTaxon(taxonomy, { name: 'Glassware' });
    const child = await aTaxon(taxonomy, { name: 'Tumblers', parent_id: parent.id });
    const { id, slug } = await aProduct({
      name: `Striped ${word} mug`,
      description: 'Thrown by hand in Brittany.',
      sku: unique('KILN-77'),
      option_type_ids: [type.id],
      taxon_ids: [child.id],
      product_properties_attributes: [{ property_name: unique('material'), value: 'Stoneware' }],
    });
    await aVariant({ id, slug }, { option_value_ids: [type.option_values[0].id] });
    for (const words of [
      'mug striped',
      'brittany',
      'kiln-77',
      'vermilion',
      'stoneware',
      'tumblers',
      'glassware mugs vermilion',
      'MUGS, stripes!',
      'the mug in Brittany',
    ])
      expect([words, await find(`search=${encodeURIComponent(`${words} ${word}`)}`)]).toEqual([words, [id]]);
    expect(await find(`search=${word}+saucer`)).toEqual([]);
  });

  test('tolerates an error in words of five letters or more', async () => {
    const { id } = await aProduct({ name: 'Quixotic Breton jersey' });
    for (const words of ['bretn', 'bretton', 'berton', 'brexon', 'quixotc jersy'])
      expect([words, await find(`search=${encodeURIComponent(words)}`)]).toEqual([words, [id]]);
    await aProduct({ name: 'Zyms' });
    expect(await find('search=zims')).toEqual([]);
  });

  test('finds words and SKUs by their beginning as one types, letters without marks, and parts of words of Asian scripts', async () => {
    const word = aWord();
    const type = await anOptionType('Glaze', 'Céladon');
    const product = await aProduct({
      name: `${word} Stoneware Crème Brûlée-Förmchen`,
      description: 'Für Straßenfeste: smørrebrød, Ёлка, РАДИО, café — “naïve”.',
      sku: unique('KILN-AB12'),
      option_type_ids: [type.id],
    });
    await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    const asian = await aProduct({
      name: `${word}用コーヒーカップ 東京都産`,
      description: '빨간 커피잔을 팝니다。陶瓷茶杯',
    });
    for (const [words, ids] of [
      [`${word.slice(0, -2)}`, [product.id, asian.id]],
      [`${word} sto`, [product.id]],
      [`${word} stone`, [product.id]],
      [`stone ${word}`, []],
      [`${word} kiln-ab1`, [product.id]],
      [`${word} celad`, [product.id]],
      [`${word} creme brulee`, [product.id]],
      [`${word} CRÈME BRÛLÉES`, [product.id]],
      [`${word} formchen`, [product.id]],
      [`${word} strassenf`, [product.id]],
      [`${word} smorrebrod елка радио`, [product.id]],
      [`${word} naive`, [product.id]],
      [`コーヒー`, [asian.id]],
      [`カップ ${word}`, [asian.id]],
      ['ｺｰﾋｰ', [asian.id]],
      ['カ', [asian.id]],
      ['京都', [asian.id]],
      ['産', [asian.id]],
      ['京東', []],
      ['커피', [asian.id]],
      ['茶杯', [asian.id]],
    ] as const)
      expect([words, (await find(`search=${encodeURIComponent(words)}`)).sort((a, b) => a - b)]).toEqual([
        words,
        ids,
      ]);
  });

  test('corrects a word only if nothing else fits', async () => {
    const word = aWord();
    const bottle = await aProduct({ name: `${word} Bottleneck` });
    const bottled = await aProduct({ name: `${word} botttles` });
    expect(await find(`search=${word}+bottle`)).toEqual([bottle.id]);
    expect(await find(`search=${word}+botttle`)).toEqual([bottled.id]);
  });

  test('reads the start of a word that is too long, in whole letters', async () => {
    const start = 'x'.repeat(59);
    const product = await aProduct({ name: `${start}\u{1f600}` });
    const words = encodeURIComponent(`${start}\u{1f600}\u{1f600}`);
    expect(await find(`search=${words}`)).toEqual([product.id]);
  });

  test('finds numbers with any digit, and reads all punctuation as separators', async () => {
    const word = aWord();
    const { id } = await aProduct({
      name: `${word} 0123456789`,
      sku: unique(`${word}-501`),
      description: 'why?how',
    });
    for (const words of ['0123456789', '501', 'why', 'how?'])
      expect([words, await find(`search=${encodeURIComponent(`${word} ${words}`)}`)]).toEqual([words, [id]]);
    expect(await find(`search=${word}+023456789`)).toEqual([]);
  });

  test('shows the best matches first, unless the list is sorted', async () => {
    const word = aWord();
    const mentioned = await aProduct({ name: 'A', description: `Goes with the ${word}.` });
    const named = await aProduct({ name: `B ${word}` });
    expect(await find(`search=${word}`)).toEqual([named.id, mentioned.id]);
    expect(await find(`search=${word}&q[s]=name+asc`)).toEqual([mentioned.id, named.id]);
  });

  test('follows new names of shared records and changes of the product', async () => {
    const admin = await asAdmin();
    const [one, two, three] = [aWord(), aWord(), aWord()];
    const type = await anOptionType('Colour', one);
    const product = await aProduct({ option_type_ids: [type.id] });
    await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    expect(await find(`search=${one}`)).toEqual([product.id]);
    await admin.put(`/option_values/${type.option_values[0].id}`, {
      option_value: { name: two, presentation: two },
    });
    expect([await find(`search=${one}`), await find(`search=${two}`)]).toEqual([[], [product.id]]);
    await admin.put(`/products/${product.id}`, { product: { name: three } });
    expect(await find(`search=${three}`)).toEqual([product.id]);
    await admin.delete(`/products/${product.id}`);
    expect(await find(`search=${three}`)).toEqual([]);
  });

  test('a name that no database can store finds nothing', async () => {
    const reply = await api().get('/products?option[%00]=a&property[%00b]=c');
    expect([reply.status, reply.body.products]).toEqual([200, []]);
  });

  test('reads any text as words', async () => {
    for (const text of [
      `'`,
      `\\`,
      `a & !b | (c) <-> d:*`,
      `"x`,
      '%%%',
      '   ',
      'a'.repeat(3000),
      '\u0000',
      "o'neil\\",
    ]) {
      const { status } = await api().get(`/products?search=${encodeURIComponent(text)}&facets=options`);
      expect([text, status]).toEqual([text, 200]);
    }
  });

  test.each(['/products', '/products/suggest'])('%s reads halves of characters', async (path) => {
    // JSON may contain what UTF-8 cannot; and a text may be cut between the halves.
    for (const search of ['\ud800', '\udfffa', `${'a'.repeat(199)}\u{1f600}`]) {
      const { status } = await request(testApp().app).get(`/api/v1${path}`).send({ search });
      expect([search, status]).toEqual([search, 200]);
    }
  });

  test('uses the language of the store', async () => {
    const db = testDb();
    const { id } = await aProduct({ name: 'Schwerer Krug', description: 'Zwei Krüge.' });
    const admin = await asAdmin();
    const store = await db('stores').where({ is_default: true }).first();
    expect((await admin.put(`/stores/${store.id}`, { store: { language: 'klingon' } })).status).toBe(422);
    expect((await admin.put(`/stores/${store.id}`, { store: { language: 'german' } })).body.language).toBe(
      'german',
    );
    try {
      const added = await aProduct({ name: 'Leichter Becher' });
      expect(await find('search=leichten')).toEqual([added.id]);
      await refreshSearchLanguage(db, () => true);
      expect(await find('search=schweren')).toEqual([id]);
      expect(await db('search_documents').whereNot({ language: 'german' })).toEqual([]);
    } finally {
      await db('stores').where({ id: store.id }).update({ language: 'english' });
      await refreshSearchLanguage(db, () => true);
    }
  });

  test('reads the language of the store once when it looks for documents in another one', async () => {
    const statements = await listQueries(() => refreshSearchLanguage(testDb(), () => true));
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      const { rows } = await testDb().raw(`EXPLAIN (VERBOSE) ${statement}`);
      expect(rows.map((row: object) => Object.values(row)[0]).join('\n')).not.toMatch(
        /<> (\w+\.)?store_language/,
      );
    }
  });
});

describe('filters', () => {
  test('name options by name or presentation, in any case, and mean one variant on sale', async () => {
    const admin = await asAdmin();
    const color = await anOptionType('Farbe', 'navy', 'red');
    const size = await anOptionType('Groesse', 'M', 'L');
    const product = await aProduct({ option_type_ids: [color.id, size.id], price: '5' });
    const options = (c: number, s: number) => [color.option_values[c].id, size.option_values[s].id];
    const navyM = await aVariant(product, { option_value_ids: options(0, 0), price: '10' });
    const redL = await aVariant(product, { option_value_ids: options(1, 1), price: '20' });
    await setStock(navyM.id, { stock: 0, backorderable: false });
    await setStock(redL.id, { stock: 2 });
    const c = `option[${color.name}]`;
    const found: [string, boolean][] = [
      [`${c}=navy`, true],
      [`${c.toUpperCase().replace('OPTION', 'option')}=NAVY`, true],
      [`option[farbe]=Navy&option[${size.name}]=m`, true],
      [`option[farbe]=navy&option[groesse]=l`, false],
      [`option[farbe]=navy,red&option[groesse]=l`, true],
      [`option[farbe][]=navy&option[farbe][]=green&option[groesse]=m`, true],
      [`option[farbe]=green`, false],
      [`option[nothing]=navy`, false],
      [`option[farbe]=navy&price_max=15`, true],
      [`option[farbe]=red&price_max=15`, false],
      [`option[farbe]=red&price_min=20&price_max=20.00`, true],
      [`option[farbe]=navy&in_stock=true`, false],
      [`option[farbe]=navy&in_stock=false`, true],
      [`option[farbe]=red&in_stock=true`, true],
      [`option[farbe]=navy&price_min=5&price_max=6`, false],
    ];
    for (const [query, isFound] of found)
      expect([query, await find(query)]).toEqual([query, isFound ? [product.id] : []]);
    await setStock(navyM.id, { stock: 0, backorderable: true });
    expect(await find('option[farbe]=navy&in_stock=true')).toEqual([product.id]);
    await admin.delete(`/products/${product.id}/variants/${navyM.id}`);
    expect(await find('option[farbe]=navy')).toEqual([]);
  });

  test('price bounds are exact, and others than numbers are an error', async () => {
    const word = aWord();
    const { id } = await aProduct({ name: word, price: '19.99' });
    for (const [bounds, isFound] of [
      ['price_min=19.99&price_max=19.99', true],
      ['price_min=19.991', false],
      ['price_max=19.989', false],
      ['price_min=20&price_max=10', false],
      ['price_min=-1e3&price_max=1e30', true],
      ['price_min=&price_max=', true],
    ] as const)
      expect([bounds, await find(`search=${word}&${bounds}`)]).toEqual([bounds, isFound ? [id] : []]);
    const { status, body } = await api().get('/products?price_min=cheap&price_max=1,5');
    expect([status, body.errors]).toEqual([
      422,
      { price_min: ['is not a number'], price_max: ['is not a number'] },
    ]);
  });

  test('a taxon is an id or a permalink and includes its descendants; properties ignore case', async () => {
    const taxonomy = await aTaxonomy();
    const parent = await aTaxon(taxonomy);
    const child = await aTaxon(taxonomy, { parent_id: parent.id });
    const name = unique('material');
    const { id } = await aProduct({
      taxon_ids: [child.id],
      product_properties_attributes: [{ property_name: name, value: 'Cotton' }],
    });
    for (const top of [taxonomy.root.id, parent.id, child.permalink])
      expect(await find(`taxon=${top}`)).toEqual([id]);
    for (const top of [`/${child.permalink}`, `${child.permalink}/`, `/${parent.id}/`])
      expect([top, await find(`taxon=${top}`)]).toEqual([top, [id]]);
    for (const top of ['no/such', '/', '//']) expect([top, await find(`taxon=${top}`)]).toEqual([top, []]);
    expect(await find(`property[${name}]=linen,cotton`)).toEqual([id]);
    expect(await find(`property[${name}]=silk`)).toEqual([]);
    expect(await find(`property[unknown]=cotton`)).toEqual([]);
    const other = await aTaxon(taxonomy);
    await (
      await asAdmin()
    ).put(`/taxonomies/${taxonomy.id}/taxons/${child.id}`, { taxon: { parent_id: other.id } });
    expect([await find(`taxon=${parent.id}`), await find(`taxon=${other.id}`)]).toEqual([[], [id]]);
  });

  test('combine with q, pages and the products of a taxon', async () => {
    const taxonomy = await aTaxonomy();
    const taxon_ids = [taxonomy.root.id];
    const cheap = await aProduct({ taxon_ids, price: '3', name: unique('Alpha') });
    const dear = await aProduct({ taxon_ids, price: '30', name: unique('Beta') });
    const path = `taxon=${taxonomy.root.id}`;
    expect(await find(`${path}&q[name_cont]=${dear.name}`)).toEqual([dear.id]);
    expect(await find(`${path}&q[s]=price+desc`)).toEqual([dear.id, cheap.id]);
    const { body } = await api().get(`/products?${path}&per_page=1&page=2&facets=price`);
    expect(body).toMatchObject({
      count: 1,
      total_count: 2,
      pages: 2,
      facets: { price: { min: '3.0', max: '30.0' } },
    });
    expect((await api().get(`/products?${path}&per_page=1&page=3`)).body).toMatchObject({
      count: 0,
      total_count: 2,
    });
    const ofTaxon = await api().get(
      `/taxons/products?id=${taxonomy.root.id}&price_min=10&facets=price,in_stock`,
    );
    expect(ofTaxon.body.products.map(({ id }: { id: number }) => id)).toEqual([dear.id]);
    expect(ofTaxon.body.facets.price).toEqual({ min: '3.0', max: '30.0' });
    expect(Object.keys(ofTaxon.body.facets)).toEqual(['price', 'in_stock']);
  });

  test('name the facets that are estimated, and count facets of few products', async () => {
    const taxonomy = await aTaxonomy();
    const taxon = await aTaxon(taxonomy);
    const name = unique('material');
    for (const value of ['silk', 'silk', 'wool'])
      await aProduct({
        taxon_ids: [value === 'silk' ? taxon.id : taxonomy.root.id],
        product_properties_attributes: [{ property_name: name, value }],
      });
    const path = `/products?taxon=${taxon.id}&facets=properties,taxons,price,in_stock`;
    const { body: exact } = await api().get(path);
    expect([exact.total_count, exact.facets.properties[name]]).toEqual([
      2,
      [{ value: 'silk', presentation: name, count: 2 }],
    ]);
    expect(exact.facets).not.toHaveProperty('approximate');
    // All products count for the facet of taxons, and two for the others.
    for (const [counted, approximate] of [
      [0, ['properties', 'taxons', 'price', 'in_stock']],
      [2, ['taxons']],
    ] as const) {
      jest.replaceProperty(FACET_BOUNDS, 'listings', -1);
      jest.replaceProperty(FACET_BOUNDS, 'counted', counted);
      try {
        const { body } = await api().get(`${path}&n=${counted}`);
        const { taxons, ...facets } = exact.facets;
        // All listings are drawn here, because drawing as many is allowed.
        expect(body).toMatchObject({ total_count: 2, facets: { ...facets, approximate } });
        expect(body.facets.taxons).toEqual(
          expect.arrayContaining([expect.objectContaining({ id: taxon.id, count: 2 })]),
        );
        expect(taxons.length).toBe(body.facets.taxons.length);
        // What is counted for a facet without a filter of its own is the total.
        const short = `/products?taxon=${taxon.id}&facets=properties,taxons&n=${counted}`;
        expect((await api().get(short)).body.total_count).toBe(2);
      } finally {
        jest.restoreAllMocks();
      }
    }
  });

  test('give the same pages with facets as without, however the matching products are spread', async () => {
    for (let count = 0; count < 20; count += 1) await aProduct({ price: '98765.43' });
    for (const filter of [
      'price_min=98765.43',
      'price_max=98765.43',
      'price_min=1&in_stock=false',
      'taxon=0',
    ])
      for (const page of [1, 2, 19, 20, 21]) {
        const path = `/products?${filter}&per_page=1&page=${page}`;
        const { products, total_count, pages } = (await api().get(path)).body;
        const { body } = await api().get(`${path}&facets=price`);
        expect([path, body]).toMatchObject([path, { products, total_count, pages }]);
      }
  });

  test('keep a total until the catalog changes, and read few listings meanwhile', async () => {
    const db = testDb();
    for (let n = 0; n < 40; n += 1) await aProduct();
    const made = [];
    for (let n = 0; n < 20; n += 1) made.push(await aProduct({ price: '187654.32' }));
    await db.raw('ANALYZE product_listings');
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    let count = 0;
    const read = async (price_min: string) => {
      statements.length = 0;
      db.on('query', note);
      // Another name each time, so that no cached reply matches.
      const { body } = await api().get(`/products?price_min=${price_min}&per_page=1&n=${(count += 1)}`);
      db.removeListener('query', note);
      const reads = statements.filter((sql) => sql.includes('WITH found'));
      return [body.products[0]?.id, body.total_count, reads.map((sql) => sql.includes('product_id LIMIT'))];
    };
    const [first, second, third] = made.map(({ id }) => id);
    const [cheapest] = (await api().get('/products?per_page=1')).body.products;
    const total = (await read('0'))[1];
    expect(await read('0')).toEqual([cheapest.id, total, [true]]);
    expect(await read('187654.32')).toEqual([first, 20, [false]]);
    // The first listings are those of other products.
    expect(await read('187654.32')).toEqual([first, 20, [true, false]]);
    const admin = await asAdmin();
    await admin.put(`/products/${first}`, { product: { price: '1' } });
    expect((await read('187654.32')).slice(0, 2)).toEqual([second, 19]);
    expect((await read('0')).slice(0, 2)).toEqual([cheapest.id, total]);
    await admin.delete(`/products/${second}`);
    expect((await read('187654.32')).slice(0, 2)).toEqual([third, 18]);
    expect((await read('0')).slice(0, 2)).toEqual([cheapest.id, total - 1]);
  });

  test('show shoppers only what they may see', async () => {
    const word = aWord();
    const admin = await asAdmin();
    const later = await aProduct({ name: word, available_on: '2100-01-01' });
    const ended = await aProduct({ name: word, discontinue_on: '2020-01-01' });
    const deleted = await aProduct({ name: word });
    await admin.delete(`/products/${deleted.id}`);
    expect(await find(`search=${word}`)).toEqual([]);
    const ids = async (flags: string) =>
      (await admin.get(`/products?search=${word}${flags}`)).body.products.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([later.id]);
    expect(await ids('&show_deleted=true&show_discontinued=true&q[s]=id')).toEqual([
      later.id,
      ended.id,
      deleted.id,
    ]);
  });

  test('a sale of the last unit moves the product out of stock, and changes no search document', async () => {
    const word = aWord();
    const { id: variantId, product_id } = await aSellableVariant({ product: { name: word } });
    await setStock(variantId, { stock: 1, backorderable: false });
    const documents = () => testDb()('search_documents').where({ product_id }).first(testDb().raw('xmin'));
    const before = await documents();
    expect(await find(`search=${word}&in_stock=true`)).toEqual([product_id]);
    await orderInState('complete', { lines: [{ variant_id: variantId, quantity: 1 }] });
    expect(await find(`search=${word}&in_stock=true`)).toEqual([]);
    expect(await documents()).toEqual(before);
    expect((await api().get(`/products/${product_id}`)).body.in_stock).toBe(false);
  });

  test('new conditions of q', async () => {
    const color = await anOptionType('Colour', aWord());
    const taxonomy = await aTaxonomy();
    const product = await aProduct({
      option_type_ids: [color.id],
      taxon_ids: [taxonomy.root.id],
      product_properties_attributes: [{ property_name: unique('material'), value: aWord() }],
    });
    await aVariant(product, { option_value_ids: [color.option_values[0].id], price: '77.77' });
    const { body } = await api().get(`/products/${product.id}`);
    for (const condition of [
      `variants_option_values_name_eq]=${color.option_values[0].name}`,
      `variants_price_eq]=77.77`,
      `product_properties_value_eq]=${body.product_properties[0].value}`,
      `taxons_permalink_eq]=${taxonomy.root.permalink}`,
    ])
      expect([condition, await find(`q[${condition}`)]).toEqual([condition, [product.id]]);
    for (const time of ['created_at', 'updated_at'])
      expect(await find(`q[${time}_gteq]=${body[time]}&q[id_eq]=${product.id}`)).toEqual([product.id]);
  });
});

describe('the JSON of a product', () => {
  test('has its price range, times and whether it is in stock', async () => {
    const product = await aProduct({ price: '5', meta_title: 'Title' });
    const range = (min: string, max: string) => ({
      min,
      max,
      display_min: `$${min}0`,
      display_max: `$${max}0`,
    });
    expect(product).toMatchObject({
      price_range: range('5.0', '5.0'),
      meta_title: 'Title',
      in_stock: expect.any(Boolean),
    });
    expect(product.created_at <= product.updated_at).toBe(true);
    const one = await aVariant(product, { price: '10' });
    const two = await aVariant(product, { price: '20' });
    for (const [stocks, inStock] of [
      [[0, 0], false],
      [[0, 4], true],
    ] as const) {
      await setStock(one.id, { stock: stocks[0], backorderable: false });
      await setStock(two.id, { stock: stocks[1], backorderable: false });
      for (let time = 0; time < 2; time += 1)
        expect((await api().get(`/products/${product.id}`)).body).toMatchObject({
          price_range: range('10.0', '20.0'),
          in_stock: inStock,
        });
    }
    const keys = Object.keys((await api().get(`/products/${product.id}`)).body);
    expect(keys.slice(-6)).toEqual([
      ...['meta_title', 'price_range', 'in_stock', 'public_metadata', 'created_at', 'updated_at'],
    ]);
  });

  test('lists only the option values that its variants use', async () => {
    const type = await anOptionType('Colour', 'used', 'unused');
    const product = await aProduct({ option_type_ids: [type.id] });
    await aVariant(product, { option_value_ids: [type.option_values[0].id] });
    const { body } = await api().get(`/products/${product.id}`);
    expect(body.option_types[0].option_values.map(({ name }: { name: string }) => name)).toEqual(['used']);
  });

  test('has only the requested fields of a list', async () => {
    const product = await aProduct();
    const { body } = await api().get(`/products?ids=${product.id}&fields=slug,id,nothing`);
    expect(body.products).toEqual([{ id: product.id, slug: product.slug }]);
    expect(body.total_count).toBe(1);
    const variants = await api().get(`/products/${product.id}/variants?fields=sku`);
    expect(variants.body.variants).toEqual([{ sku: product.master.sku }]);
    const orders = await (await asAdmin()).get('/orders?fields=number');
    expect(orders.status).toBe(200);
  });
});

test('sets that no listing uses any more are removed', async () => {
  const db = testDb();
  const product = await aProduct();
  await setStock(product.master.id, { stock: 1 });
  await removeUnusedListingSets(db);
  const { rows } = await db.raw(
    `SELECT count(*) FROM listing_offers WHERE set_id NOT IN (SELECT offers_id FROM product_listings)`,
  );
  expect(rows[0].count).toBe('0');
  expect(await find(`ids=${product.id}&in_stock=true`)).toEqual([product.id]);
});
