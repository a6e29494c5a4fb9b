import { aClerk, aCustomer, anAdmin, asAdmin } from '../support/accounts.factory';
import { api, testApp } from '../support/api';
import { exportCsvText, importCsv, uploadCsv } from '../support/csv';
import { testDb } from '../support/database';
import { listen } from '../support/listen';
import { expectNoViolations } from '../support/invariants';
import { aProduct, aVariant } from '../support/products.factory';
import { aStockedVariant, aStockItem, aStockLocation } from '../support/stock.factory';
import { unique } from '../support/unique';
import { IMPORT_KINDS, IMPORT_LANES } from '../../src/exchange/imports/import-kinds';
import { runImports } from '../../src/exchange/imports/run-import';
import { removeUnneededImportFiles } from '../../src/exchange/imports/import-files';

async function getProduct(slug: string): Promise<any> {
  return (await (await asAdmin()).get(`/products/${slug}`)).body;
}

async function countOf(table: string): Promise<number> {
  return Number((await testDb()(table).count({ count: '*' }))[0]?.count);
}

/** Imports a file that gives each of these accounts a ship address. */
async function importShipAddresses(emails: readonly string[]) {
  const header =
    'email,ship_firstname,ship_lastname,ship_address1,ship_city,ship_zipcode,ship_phone,ship_country,ship_state';
  const rows = emails.map((email) => `${email},Ann,Lee,1 Main St,Baltimore,21201,1,US,MD`);
  return importCsv('customers', [header, ...rows, ''].join('\n'));
}

describe('imports of products', () => {
  test('create products with variants, options and taxons, which are not backorderable by default', async () => {
    const admin = await asAdmin();
    await aStockLocation({ propagate_all_variants: true, backorderable_default: true });
    const taxonomy = (await admin.post('/taxonomies', { taxonomy: { name: unique('Kinds') } })).body;
    const permalink = taxonomy.root.permalink;
    const slug = unique('breton-shirt');
    const [color, size] = [unique('color'), unique('size')];
    const csv = [
      'slug;name;description;sku;price;available_on;taxons;options;backorderable',
      `${slug};Breton shirt;"Cotton; ""striped""\nand warm";;30;2026-01-01;${permalink};;`,
      `${slug};;;${slug}-n;;;;${color}:navy|${size}:M;`,
      `${slug};Breton shirt;;${slug}-r;32.5;;;${color}:red|${size}:M;yes`,
    ].join('\n');
    const result = await importCsv('products', `\ufeff${csv}\n`);
    expect(result).toMatchObject({
      state: 'done',
      rows: 3,
      checked: 3,
      done: 3,
      changed: 3,
      failed: 0,
      errors: [],
    });

    const product = await getProduct(slug);
    expect(product).toMatchObject({
      name: 'Breton shirt',
      description: 'Cotton; "striped"\nand warm',
      price: '30.0',
      available_on: '2026-01-01T00:00:00.000Z',
    });
    expect(product.classifications.map((one: any) => one.taxon.permalink)).toEqual([permalink]);
    expect(product.option_types.map((one: any) => one.name).sort()).toEqual([color, size]);
    expect(
      product.variants.map((one: any) => [one.sku, one.price, one.options_text, one.is_backorderable]),
    ).toEqual([
      [`${slug}-n`, '30.0', `${color}: navy, ${size}: M`, false],
      [`${slug}-r`, '32.5', `${color}: red, ${size}: M`, true],
    ]);
    expect(product.master.is_backorderable).toBe(false);

    const again = await importCsv('products', csv);
    expect(again).toMatchObject({ state: 'done', unchanged: 3, changed: 0 });
    await expectNoViolations();
  });

  test('update by SKU, and only what the file has', async () => {
    const product = await aProduct({
      name: unique('Mug'),
      sku: unique('MUG'),
      price: '9',
      description: 'old',
    });
    const result = await importCsv('products', `sku,price,weight\n${product.master.sku},9.50,\n`);
    expect(result).toMatchObject({ state: 'done', changed: 1 });
    expect(await getProduct(product.slug)).toMatchObject({
      price: '9.5',
      description: 'old',
      slug: product.slug,
    });
    await importCsv('products', `slug,description\n${product.slug},\n`);
    expect((await getProduct(product.slug)).description).toBeNull();
  });

  test('a new variant of a product with stock empties the master', async () => {
    const product = await aProduct({ sku: unique('TOTE'), price: '9' });
    const location = await aStockLocation({ propagate_all_variants: true });
    await importCsv('stock', `sku,stock_location,count_on_hand\n${product.master.sku},${location.name},4\n`);
    const sku = unique('TOTE-L');
    const result = await importCsv('products', `slug,sku,options\n${product.slug},${sku},size:L\n`);
    expect(result).toMatchObject({ state: 'done', errors: [], changed: 1 });
    const after = await getProduct(product.slug);
    expect(after.master.total_on_hand).toBe(0);
    expect(after.variants).toMatchObject([{ sku, price: '9.0' }]);
    await expectNoViolations();
  });

  test('keep products apart whose names differ only in letters that slugs lack', async () => {
    const [a, b, c, d] = [unique('sku'), unique('sku'), unique('sku'), unique('sku')];
    const rows = [
      `煎茶 100g,${a},500`,
      `玄米茶 100g,${b},400`,
      `ほうじ茶 50g,${c},300`,
      `麦茶 100g,${d},200`,
    ];
    const result = await importCsv('products', ['name,sku,price', ...rows].join('\n'));
    expect(result).toMatchObject({ state: 'done', done: 4, errors: [] });
    const found = await testDb()('variants')
      .join('products', 'products.id', 'variants.product_id')
      .whereIn('variants.sku', [a, b, c, d])
      .orderBy('variants.id')
      .select('products.name', 'variants.sku');
    expect(found).toHaveLength(4);
    expect(new Set(found.map(({ name }: { name: string }) => name)).size).toBe(4);
    // Again, by their SKUs.
    const again = await importCsv('products', ['name,sku,price', ...rows].join('\n'));
    expect(again).toMatchObject({ state: 'done', errors: [] });
    expect(await testDb()('products').where('name', '煎茶 100g').pluck('id')).toHaveLength(1);
  });

  test.each(['硝子鉢', '茶碗 13'])('rows with the name %s are variants of one product', async (name) => {
    const skus = [unique('sku'), unique('sku'), unique('sku')];
    const rows = skus.map((sku, at) => `${name},${sku},500,色:${at}`);
    const write = (...lines: (string | undefined)[]) =>
      importCsv('products', ['name,sku,price,options', ...lines].join('\n'));
    expect(await write(rows[0], rows[1])).toMatchObject({ state: 'done', changed: 2, errors: [] });
    // A variant that is new in the next file belongs to the product whose SKUs are known.
    expect(await write(rows[0], rows[2])).toMatchObject({ state: 'done', changed: 1, errors: [] });
    const ids = await testDb()('variants').whereIn('sku', skus).pluck('product_id');
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  });

  test('rows with the slug 急須 are variants of one product', async () => {
    const skus = [unique('sku'), unique('sku')];
    const rows = skus.map((sku, at) => `急須,鉄瓶,${sku},500,色:${at}`);
    const result = await importCsv('products', ['slug,name,sku,price,options', ...rows].join('\n'));
    expect(result).toMatchObject({ state: 'done', changed: 2, errors: [] });
    const ids = await testDb()('variants').whereIn('sku', skus).pluck('product_id');
    expect(new Set(ids).size).toBe(1);
  });

  test('name line, column and reason of each wrong row, and write nothing', async () => {
    const other = await aProduct({ sku: unique('TAKEN') });
    const before = await countOf('products');
    const [a, b, c] = [unique('sku'), unique('sku'), unique('sku')];
    const csv = [
      'slug,name,sku,price,available_on,taxons,options,is_master',
      `fine-1,Fine,${a},1,,,,`,
      `no-price,No price,,,,,,`,
      `bad-cells,Bad,${b},cheap,soon,,color,maybe`,
      `no-taxon,None,${c},1,,nowhere/at-all,,`,
      `taken-sku,Taken,${other.master.sku},1,,,,`,
      `fine-1,Fine,${a},1,,,,`,
      `twice,Twice,${a},1,,,,`,
      ',,,1,,,,',
    ].join('\n');
    const result = await importCsv('products', csv);
    expect(result).toMatchObject({ state: 'failed', rows: 8, done: 0, failed: 7 });
    expect(result.errors).toEqual([
      "3 price can't be blank",
      '4 price is not a number',
      '4 available_on must have the form 2026-03-01 or 2026-03-01T09:30:00+09:00',
      '4 options must have the form color:navy|size:M',
      '4 is_master must be true or false',
      '5 taxons nowhere/at-all does not exist',
      '6 sku has already been taken',
      '7 slug the rows of a product must follow each other',
      '8 sku is also on line 2',
      "9 slug can't be blank",
    ]);
    expect(await countOf('products')).toBe(before);

    const partial = await importCsv('products', csv, { partial: 'true' });
    expect(partial).toMatchObject({ state: 'done', done: 1, failed: 7 });
    expect((await getProduct('fine-1')).master.sku).toBe(a);
  });
});

describe('imports of stock, prices and customers', () => {
  test('prices: a row with more cells than the header is wrong, as a decimal comma without quotes is', async () => {
    const { master } = await aProduct({ sku: unique('MUG'), price: '9' });
    const result = await importCsv('prices', `sku,price\n${master.sku},24,50\n${master.sku},9,,\n`);
    expect(result).toMatchObject({ state: 'failed', failed: 1, done: 0 });
    expect(result.errors).toEqual(['2 null has more cells than the header; quote text that has a separator']);
    expect((await (await asAdmin()).get(`/variants/${master.id}`)).body.price).toBe('9.0');
  });

  test('stock: sets counts with movements in the name of the caller', async () => {
    const item = await aStockItem({ count_on_hand: 2 });
    const csv = `variant_id,stock_location_id,count_on_hand\n${item.variant_id},${item.stock_location_id},7\n`;
    expect(await importCsv('stock', csv)).toMatchObject({ state: 'done', changed: 1 });
    const [movement] = await testDb()('stock_movements').where({ stock_item_id: item.id, action: 'import' });
    expect(movement).toMatchObject({ quantity: 5 });
    expect(movement.user_id).not.toBeNull();
  });

  test('customers: creates accounts without a usable password, and updates addresses', async () => {
    const email = `${unique('ann')}@example.com`;
    const csv = [
      'email,bill_firstname,bill_lastname,bill_address1,bill_city,bill_zipcode,bill_phone,bill_state,bill_country',
      `${email},Ann,Lee,1 Main St,Springfield,10001,555,NY,us`,
    ].join('\n');
    expect(await importCsv('customers', csv)).toMatchObject({ state: 'done', changed: 1, errors: [] });
    const { body } = await (await asAdmin()).get(`/users?q[email_eq]=${email}`);
    expect(body.users).toMatchObject([
      {
        email,
        roles: ['customer'],
        bill_address: { firstname: 'Ann', state_text: 'NY', country: { iso: 'US' } },
        ship_address: null,
      },
    ]);
    const moved = await importCsv('customers', `email,bill_city\n${email.toUpperCase()},Shelbyville\n`);
    expect(moved).toMatchObject({ changed: 1, errors: [] });
    // Another VAT id replaces it; a blank cell leaves it.
    for (const [vat_id, changed] of [
      ['DE136695976', 1],
      ['', 0],
      [' DE129273398 ', 1],
    ] as const)
      expect(await importCsv('customers', `email,vat_id\n${email},${vat_id}\n`)).toMatchObject({ changed });
    const { users } = (await (await asAdmin()).get(`/users?q[email_eq]=${email}`)).body;
    expect(users).toMatchObject([{ vat_id: 'DE129273398', bill_address: { city: 'Shelbyville' } }]);
    expect(await exportCsvText('customers', `q[email_eq]=${email}`)).toContain(`${email},DE129273398,Ann,`);
    const wrong = await importCsv(
      'customers',
      `email,bill_city\nnot an address,x\n${unique('bo')}@example.com,Town\n`,
    );
    expect(wrong.state).toBe('failed');
    expect(wrong.errors).toContain('2 email is invalid');
    expect(wrong.errors).toContain("3 bill_firstname can't be blank");
  });
});

describe('a round trip', () => {
  test('of an export changes nothing, and dangerous text survives', async () => {
    const admin = await asAdmin();
    const product = await aProduct({
      name: '=SUM(A1)',
      description: `'-x; "y"`,
      sku: unique('+sku'),
      price: '5',
    });
    await aVariant(product, { sku: '', price: '6', options: [{ name: 'a:b|c', value: '\\d' }] });
    await aVariant(product, { sku: '', price: '7', options: [{ name: ' a:', value: 'd\\ ' }] });
    await aVariant(product, { sku: unique('-v') });
    await aProduct({ name: unique('Hidden'), available_on: '', sku: '' });
    await aStockItem({ count_on_hand: 3 });
    await aStockItem({ variant_id: (await aStockedVariant({ sku: '', track_inventory: false })).id });
    await importCsv(
      'customers',
      `email,ship_firstname,ship_lastname,ship_address1,ship_city,ship_zipcode,ship_phone,ship_state,ship_country\n${unique('c')}@example.com,=Ann,Lee,1 St,Rome,10001,5,NY,US\n`,
    );
    await admin.post('/bulk/prices', { rows: [{ sku: product.master.sku, price: '4', currency: 'EUR' }] });
    await exportCsvText('customers'); // creates the admin who exports
    for (const kind of ['products', 'stock', 'prices', 'customers']) {
      const csv = await exportCsvText(kind);
      const result = await importCsv(kind, csv);
      expect({ kind, ...result }).toMatchObject({ kind, state: 'done', changed: 0, failed: 0, errors: [] });
      expect(result.rows).toBeGreaterThan(1);
      expect(await exportCsvText(kind)).toBe(csv);
    }
    const products = await exportCsvText('products', `q[id_eq]=${product.id}`);
    expect(products).toContain(`'=SUM(A1)`);
    expect(products).toContain(`"''-x; ""y"""`);
    await expectNoViolations();
  });

  test('variants without SKU have the name of their product and their options in all files', async () => {
    const product = await aProduct({ name: unique('Shirt'), sku: '' });
    const { id } = await aVariant(product, { sku: '', options: [{ name: 'size', value: 'M' }] });
    await importCsv('stock', `variant_id,stock_location,adjust\n${id},default,4\n`);
    for (const kind of ['stock', 'prices', 'movements']) {
      const path = { stock: 'variant_id', prices: 'variant_id', movements: 'stock_item_variant_id' }[kind];
      const csv = await exportCsvText(kind, `q[${path}_eq]=${id}`);
      expect([kind, csv]).toEqual([kind, expect.stringContaining(`,${product.name},size:M,`)]);
      expect(csv.split('\n')[0]).toContain(',name,options,');
    }
  });

  test('prices and line items are found by the names of their columns', async () => {
    const [{ master: other }, { master }] = [
      await aProduct(),
      await aProduct({ sku: unique('SKU'), price: '7' }),
    ];
    const line_items = [other, master].map(({ id }) => ({ variant_id: id }));
    const order = await api(await anAdmin()).post('/orders', { order: { line_items } });
    expect(order.status).toBe(201);
    const { sku } = master;
    expect(await exportCsvText('prices', `q[price_gt]=7&q[sku_eq]=${sku}`)).toMatch(/^sku,price,[^\n]*\n$/);
    for (const [name, search] of [
      ['prices', `q[sku_eq]=${sku}`],
      ['prices', `q[price_eq]=7&q[sku_start]=${sku}`],
      ['line_items', `q[sku_eq]=${sku}`],
    ] as const)
      expect([search, (await exportCsvText(name, search)).split('\n').length]).toEqual([search, 3]);
  });

  test('stock and movements are found by the names of their columns, and by the same names in their lists', async () => {
    const [, item] = [await aStockItem({ count_on_hand: 2 }), await aStockItem({ count_on_hand: 3 })];
    const { sku, place } = await testDb()('stock_items')
      .join('variants', 'variants.id', 'stock_items.variant_id')
      .join('stock_locations', 'stock_locations.id', 'stock_items.stock_location_id')
      .where({ 'stock_items.id': item.id })
      .first('variants.sku', 'stock_locations.name as place');
    const search = `q[sku_eq]=${sku}&q[stock_location_eq]=${place}`;
    const admin = api(await anAdmin());
    for (const name of ['stock', 'movements'])
      expect([name, (await exportCsvText(name, search)).split('\n').length]).toEqual([name, 3]);
    for (const list of ['stock_items', 'stock_movements']) {
      const reply = await admin.get(`/stock_locations/${item.stock_location_id}/${list}?${search}`);
      expect([list, reply.body.count, reply.headers['x-ignored-conditions']]).toEqual([list, 1, undefined]);
    }
  });

  test('reports are exported with the same search', async () => {
    const item = await aStockItem({ count_on_hand: 3 });
    const csv = await exportCsvText('movements', `q[stock_item_id_eq]=${item.id}`);
    expect(csv.split('\n')).toHaveLength(3);
    expect(csv).toMatch(/^id,sku,stock_location,quantity,action,/);
    for (const name of ['orders', 'line_items', 'payments']) {
      expect((await exportCsvText(name)).split('\n').length).toBeGreaterThan(1);
    }
  });
});

test('movements name who caused them only to those who may read orders or customers', async () => {
  const item = await aStockItem({ count_on_hand: 3 });
  const buyer = await aCustomer();
  await testDb()('stock_movements').where({ stock_item_id: item.id }).update({ user_id: buyer.id });
  const path = `/exports/movements.csv?q[stock_item_id_eq]=${item.id}`;
  for (const [scopes, isShown] of [
    [['stock:read'], false],
    [['stock:write', 'catalog:write'], false],
    [['stock:read', 'orders:read'], true],
    [['stock:read', 'customers:read'], true],
  ] as const) {
    const { text } = await api(await aClerk(scopes)).get(path);
    expect([text.split('\n').length, text.includes(buyer.email)]).toEqual([3, isShown]);
  }
});

test('a compressed export causes no warning about listeners', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const program = await listen((request, response) => {
    // Those of the server of the program, which does not run here.
    for (let n = 0; n < 3; n += 1) response.once('close', () => undefined);
    testApp().app(request, response);
  });
  try {
    const { status, headers } = await fetch(`${program.url}/api/v1/exports/products.csv`, {
      headers: { 'X-Store-Token': (await anAdmin()).token ?? '', 'Accept-Encoding': 'gzip' },
    });
    expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
  } finally {
    await program.close();
    process.removeListener('warning', note);
  }
  expect(warnings.map(String)).toEqual([]);
});

describe('files of spreadsheets', () => {
  test.each([';', '\t'])('separated by %j have decimal commas', async (separator) => {
    const [one, two] = [await aProduct({ sku: unique('SKU') }), await aProduct({ sku: unique('SKU') })];
    const rows = [
      ['sku', 'price', 'cost_price'],
      [one.master.sku, '1.234,50', '0,5'],
      [two.master.sku, '1234.5', '12'],
    ];
    const csv = rows.map((cells) => cells.join(separator)).join('\n');
    expect(await importCsv('prices', csv)).toMatchObject({ state: 'done', failed: 0 });
    const prices = async ({ slug }: { slug: string }) => {
      const { master } = (await (await asAdmin()).get(`/products/${slug}`)).body;
      return [master.price, master.cost_price];
    };
    expect([await prices(one), await prices(two)]).toEqual([
      ['1234.5', '0.5'],
      ['1234.5', '12.0'],
    ]);
    // With commas as separators they are no numbers, and neither are unclear ones.
    for (const csv of [`sku,price\n${one.master.sku},"19,99"\n`, `sku;price\n${one.master.sku};1,234,5\n`])
      expect(await importCsv('prices', csv)).toMatchObject({ state: 'failed', failed: 1 });
  });

  test('separated by semicolons have no numbers that may be a thousand times as large', async () => {
    const { id: variant_id, sku } = (await aProduct({ sku: unique('SKU'), price: '5' })).master;
    const prices = await importCsv('prices', `sku;price;cost_price\n${sku};1.234;0.125\n`);
    const ambiguous = 'is ambiguous: write thousands without a point, and decimals after a comma';
    expect([prices.state, prices.errors]).toEqual(['failed', [`2 price ${ambiguous}`]]);
    const stock = await importCsv('stock', `sku;stock_location;adjust\n${sku};default;1.000\n`);
    expect([stock.state, stock.errors]).toEqual(['failed', [`2 adjust ${ambiguous}`]]);
    expect((await api().get(`/variants/${variant_id}`)).body).toMatchObject({
      price: '5.0',
      total_on_hand: 0,
    });
    // With commas as separators, a point separates decimals.
    expect(await importCsv('prices', `sku,price\n${sku},1.234\n`)).toMatchObject({ state: 'done' });
  });

  test('may begin with their separator, and have rows of blank cells, as spreadsheets write them', async () => {
    const { sku } = (await aProduct({ sku: unique('SKU') })).master;
    const csv = `sep=;\r\nsku;price\r\n;\r\n${sku};3,50\r\n ;\r\n;;\r\nno-${sku};1\r\n`;
    const result = await importCsv('prices', csv, { partial: 'true' });
    expect(result).toMatchObject({ state: 'done', rows: 2, changed: 1, errors: ['7 sku does not exist'] });
  });

  test('may begin with blank lines, as those of scripts do', async () => {
    const { sku } = (await aProduct({ sku: unique('SKU') })).master;
    const result = await importCsv('prices', `\r\n\r\nsku;price\r\n${sku};3,50\r\nno-${sku};1\r\n`, {
      partial: 'true',
    });
    expect(result).toMatchObject({ state: 'done', rows: 2, changed: 1, errors: ['5 sku does not exist'] });
  });

  test('name the line of a row after line breaks in quotes, and that of a quote which is not closed', async () => {
    const { sku } = (await aProduct({ sku: unique('SKU') })).master;
    const rows = Array.from({ length: 3_000 }, () => `${sku};1`);
    const before = ['sku;price;name', ...rows.slice(0, 999), `${sku};1;"two\r\nlines"`].join('\r\n');
    const { errors } = await importCsv('prices', `${before}\r\n${sku};one\r\n`);
    expect(errors).toEqual(['1003 price is not a number']);
    const open = `${before}\r\n${sku};1;"17 inch\r\n`;
    expect((await importCsv('prices', open + rows.join('\r\n'))).problem).toBe(
      'line 1003: a quote is not closed',
    );
    expect((await uploadCsv('prices', `${open}${sku};1;"a"\r\n`)).body.errors).toEqual({
      file: ['line 1003: is not valid CSV: check the quotes'],
    });
  });

  test.each([',', ';'])(
    'separated by %j have no bar codes that the spreadsheet has shortened',
    async (separator) => {
      const { sku } = (await aProduct({ sku: unique('SKU') })).master;
      const rows = [
        ['sku', 'barcode', 'description'],
        [sku, separator === ';' ? '4,00638E+12' : '4.00638E+12', ''],
        ['1.5E+11', '4006381333931', '1.5E+10'],
      ];
      const { errors } = await importCsv('products', rows.map((cells) => cells.join(separator)).join('\n'));
      const shortened =
        'is a number that a spreadsheet has shortened: format the column as text before you export it';
      expect(errors).toEqual([`2 barcode ${shortened}`, `3 sku ${shortened}`]);
    },
  );

  test('of stock need no location if there is only one', async () => {
    const item = await aStockItem({ count_on_hand: 2 });
    const csv = `variant_id,count_on_hand\n${item.variant_id},7\n`;
    const others = () => testDb()('stock_locations').whereNot({ id: item.stock_location_id });
    const present: number[] = await others().whereNull('deleted_at').pluck('id');
    if (present.length === 0)
      present.push(
        (
          await testDb()('stock_locations')
            .insert({ name: unique('Depot') })
            .returning('id')
        )[0].id,
      );
    expect(await importCsv('stock', csv)).toMatchObject({ state: 'failed', failed: 1 });
    await others().whereIn('id', present).update({ deleted_at: new Date() });
    try {
      expect(await importCsv('stock', csv)).toMatchObject({ state: 'done', changed: 1 });
      expect(await testDb()('stock_items').where({ id: item.id }).first('count_on_hand')).toEqual({
        count_on_hand: 7,
      });
    } finally {
      await others().whereIn('id', present).update({ deleted_at: null });
    }
  });
});

describe('jobs', () => {
  test('a dry run writes nothing', async () => {
    const item = await aStockItem({ count_on_hand: 2 });
    const csv = `variant_id,stock_location_id,count_on_hand\n${item.variant_id},${item.stock_location_id},7\n1,0,x\n`;
    const result = await importCsv('stock', csv, { dry_run: 'true' });
    expect(result).toMatchObject({ state: 'done', dry_run: true, done: 1, failed: 1 });
    expect(await testDb()('stock_items').where({ id: item.id }).first('count_on_hand')).toEqual({
      count_on_hand: 2,
    });
  });

  test('files that are no CSV of the kind are refused at once', async () => {
    const errorsOf = async (kind: string, csv: string | Buffer) => (await uploadCsv(kind, csv)).body.errors;
    const { headers } = await uploadCsv('stock', 'Artikel;Menge\n');
    expect(headers['x-error-hint']).toContain('GET /api/v1/exports/products.csv');
    expect(await errorsOf('stock', 'sku,stock_location\n')).toEqual({
      file: ['has no column count_on_hand or adjust or counted or backorderable'],
    });
    // What Excel saves as .xlsx and .xls.
    for (const start of ['PK\x03\x04', '\xd0\xcf\x11\xe0']) {
      const book = Buffer.from(`${start}\x14\x00\x06`, 'latin1');
      expect(await errorsOf('prices', book)).toEqual({
        file: ['line 1: is a spreadsheet; save it as CSV in UTF-8'],
      });
    }
    expect(await errorsOf('prices', '')).toEqual({ file: ["can't be blank"] });
    expect(await errorsOf('prices', 'sku,sku,price\n')).toEqual({ file: ['has two columns "sku"'] });
    expect(await errorsOf('prices', Buffer.from('sku,price\n\xff', 'latin1'))).toEqual({
      file: ['line 2: is not valid UTF-8; save the file as UTF-8'],
    });
    const lines = Array.from(
      { length: 9_000 },
      (_none, line) => `sku-${line},${line === 6_997 ? 'ü' : 'é'},1`,
    );
    const latin = Buffer.concat([
      Buffer.from(`sku,name,price\n${lines.slice(0, 6_998).join('\n')}\n`),
      Buffer.from(lines.slice(6_998).join('\n'), 'latin1'),
    ]);
    expect(await importCsv('prices', latin)).toMatchObject({
      state: 'failed',
      problem: 'line 7000: is not valid UTF-8; save the file as UTF-8',
    });
    expect(await errorsOf('sandwiches', 'sku,price\n')).toEqual({ kind: ['is not included in the list'] });
    const none = await (await asAdmin()).post('/imports', { kind: 'stock' });
    expect(none.body.errors).toEqual({ file: ["can't be blank"] });
    const ignored = await uploadCsv('prices', 'sku,price,colour\n');
    expect(ignored.body).toMatchObject({ state: 'queued', rows: null, ignored_columns: ['colour'] });
    const broken = await importCsv('prices', 'sku,price\na,1\n"b,2\n');
    expect(broken).toMatchObject({ state: 'failed', done: 0 });
    expect(broken.problem).toContain('line');
  });

  test('are for admins', async () => {
    const customer = api(await aCustomer());
    expect((await customer.post('/imports', { kind: 'stock' })).status).toBe(401);
    expect((await customer.get('/imports/1')).status).toBe(401);
    expect((await customer.get('/exports/orders.csv')).status).toBe(401);
    expect((await (await asAdmin()).get('/imports/2147483647')).status).toBe(404);
  });

  test('of customers change no account of staff', async () => {
    const [owner, clerk] = [await anAdmin(), await aClerk(['customers:write'])];
    expect(await importShipAddresses([owner.email, clerk.email])).toMatchObject({
      state: 'failed',
      changed: 0,
      errors: ['2 email belongs to a member of staff', '3 email belongs to a member of staff'],
    });
    expect((await api(owner).get('/users/me')).body.ship_address).toBeNull();
    const taxed = await importCsv('customers', `email,vat_id\n${owner.email},DE136695976\n`);
    expect(taxed.errors).toEqual(['2 email belongs to a member of staff']);
    const unchanged = await importCsv('customers', `email,ship_city\n${owner.email},\n`);
    expect(unchanged).toMatchObject({ state: 'done', unchanged: 1 });
  });

  test('a canceled import stops, and a finished one cannot be canceled', async () => {
    const admin = await asAdmin();
    const item = await aStockItem({ count_on_hand: 2 });
    const csv = `variant_id,stock_location_id,count_on_hand\n${item.variant_id},${item.stock_location_id},7\n`;
    const queued = (await uploadCsv('stock', csv)).body;
    expect((await admin.delete(`/imports/${queued.id}`)).status).toBe(204);
    await runImports(testApp().deps);
    expect((await admin.get(`/imports/${queued.id}`)).body).toMatchObject({ state: 'canceled', done: 0 });
    const done = await importCsv('stock', csv);
    expect((await admin.delete(`/imports/${done.id}`)).status).toBe(422);

    const running = (await uploadCsv('stock', csv.replace(',7', ',8'))).body;
    const cancel = async () => {
      await testDb()('imports')
        .where({ id: running.id })
        .update({ state: 'canceled', finished_at: new Date() });
    };
    const canceling: Promise<void>[] = [];
    await runImports(testApp().deps, { onProgress: () => void canceling.push(cancel()) });
    await Promise.all(canceling);
    expect((await admin.get(`/imports/${running.id}`)).body.state).toBe('canceled');
  });

  test('of other kinds do not wait for one of old orders, which waits for those before it', async () => {
    const [others, orders] = IMPORT_LANES;
    expect(IMPORT_LANES.flat().sort()).toEqual([...IMPORT_KINDS].sort());
    const item = await aStockItem();
    const stock = (count: number) =>
      `variant_id,stock_location_id,count_on_hand\n${item.variant_id},${item.stock_location_id},${count}\n`;
    const sold = `number,email,completed_at,sku,quantity,price\n${unique('OLD')},a@example.com,2020-01-01,none,1,1\n`;
    const files = [
      ['stock', stock(4)],
      ['orders', sold],
      ['stock', stock(5)],
    ] as const;
    const ids: number[] = [];
    for (const [kind, csv] of files) ids.push((await uploadCsv(kind, csv)).body.id);
    const listStates = () => testDb()('imports').whereIn('id', ids).orderBy('id').pluck('state');
    const run = (kinds: typeof orders) => runImports(testApp().deps, { kinds: kinds ?? [] });
    expect([await run(orders), await listStates()]).toEqual([0, ['queued', 'queued', 'queued']]);
    expect([await run(others), await listStates()]).toEqual([2, ['done', 'queued', 'done']]);
    expect([await run(orders), await listStates()]).toEqual([1, ['done', 'failed', 'done']]);
  });

  test('continue where a killed worker stopped, and have one worker', async () => {
    const location = await aStockLocation();
    const skus: string[] = [];
    for (let i = 0; i < 1200; i++) skus.push(unique('bulk'));
    const rows = skus.map((sku) => `${sku},${sku},${sku},1`);
    await importCsv('products', `slug,name,sku,price\n${rows.join('\n')}\n`);
    const csv = `sku,stock_location,adjust\n${skus.map((sku) => `${sku},${location.name},1`).join('\n')}\n`;
    const queued = (await uploadCsv('stock', csv, { partial: 'true' })).body;
    let batches = 0;
    // Stops after the first batch, as a killed process does: its claim remains.
    await runImports(testApp().deps, { onProgress: () => void (batches += 1), isRunning: () => batches < 1 });
    const [stopped] = await testDb()('imports').where({ id: queued.id });
    expect(stopped).toMatchObject({ state: 'running', position: 500 });
    await testDb()('imports')
      .where({ id: queued.id })
      .update({ claimed_until: new Date(Date.now() + 60_000) });
    await runImports(testApp().deps);
    expect((await testDb()('imports').where({ id: queued.id }).first()).position).toBe(500);
    await testDb()('imports')
      .where({ id: queued.id })
      .update({ claimed_until: new Date(0) });
    await Promise.all([runImports(testApp().deps), runImports(testApp().deps), runImports(testApp().deps)]);
    expect((await (await asAdmin()).get(`/imports/${queued.id}`)).body).toMatchObject({
      state: 'done',
      changed: 1200,
    });
    const { rows: sums } = await testDb().raw(
      'SELECT sum(count_on_hand)::int AS sum, max(count_on_hand) AS max FROM stock_items WHERE stock_location_id = ?',
      [location.id],
    );
    expect(sums).toEqual([{ sum: 1200, max: 1 }]);
    await expectNoViolations();
  });

  test('leave no files behind', async () => {
    await removeUnneededImportFiles({ ...testApp().deps, now: () => new Date(Date.now() + 7_200_000) });
    const keys: string[] = [];
    for await (const file of testApp().deps.storage.list('imports')) keys.push(file.key);
    const open = await testDb()('imports').whereIn('state', ['queued', 'running']).pluck('storage_key');
    expect(keys.sort()).toEqual(open.sort());
  });
});
