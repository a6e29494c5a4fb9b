import { asAdmin, aClerk, aCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { aSellableVariant, buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { listQueries } from '../../support/queries';
import { aPaidOrder } from '../../support/shipments.factory';
import { unique } from '../../support/unique';

const search = async (text: string, more = '') =>
  (await asAdmin()).get(`/orders?search=${encodeURIComponent(text)}${more}`);

/** Returns the numbers of the orders that a text finds, in their order. */
async function find(text: string, more = ''): Promise<string[]> {
  const reply = await search(text, more);
  expect(reply.status).toBe(200);
  expect(reply.body.total_count).toBe(reply.body.orders.length);
  return reply.body.orders.map(({ number }: { number: string }) => number);
}

/** Creates a cart with an address and returns its number. */
async function aCart(address: object = {}, email = `${unique('find')}@example.com`): Promise<string> {
  const complete = { ...(await buildMarylandAddress()), ...address };
  const reply = await api().post('/orders', { order: { email, ship_address_attributes: complete } });
  expect(reply.status).toBe(201);
  return reply.body.number;
}

test('an order is found by its number, whole, in part and in any case', async () => {
  const number = await aCart();
  expect(await find(number)).toEqual([number]);
  expect(await find(` ${number.toLowerCase()} `)).toEqual([number]);
  expect(await find(number.slice(2))).toEqual([number]);
});

test('an order is found by its e-mail address, whole and in part', async () => {
  const name = unique('find');
  const number = await aCart({}, `${name}@Example.com`);
  expect(await find(`${name}@example.com`)).toEqual([number]);
  expect(await find(name)).toEqual([number]);
});

test('an order is found by a name of either address', async () => {
  const lastname = `Zimmer ${unique('find')}`;
  const number = await aCart({ firstname: 'Jörg', lastname });
  for (const text of [lastname, lastname.toUpperCase(), `jörg ${lastname}`, `${lastname}, Jörg`])
    expect(await find(text)).toEqual([number]);
  expect(await find(`Anna ${lastname}`)).toEqual([]);
});

test('names and companies are found without the marks of their letters, and with marks that they lack', async () => {
  const lastname = unique('Strøm');
  const marked = await aCart({ firstname: 'Zoë', lastname: `${lastname}-Ægir`, company: `Café ${lastname}` });
  const plain = lastname.replace('ø', 'o');
  for (const text of [
    `zoe ${plain}`,
    `${plain}-aegir zoe`,
    `Zoë ${plain}`,
    `ZOË ${lastname}`,
    `cafe ${plain}`,
  ])
    expect([text, await find(text)]).toEqual([text, [marked]]);
  const other = unique('Resume');
  const unmarked = await aCart({ firstname: 'Zoe', lastname: other });
  expect(await find(`zoë ${other.replace('Resume', 'Résumé')}`)).toEqual([unmarked]);
});

test('names of two characters are found', async () => {
  const number = await aCart({ firstname: '花子', lastname: '鷲尾' });
  expect(await find('鷲尾')).toEqual([number]);
});

test('a Japanese name is found without a space, with a full-width one and by its start', async () => {
  const number = await aCart({ firstname: '花梨', lastname: '五十嵐橋' });
  for (const text of ['五十嵐橋花梨', '五十嵐橋　花梨', '五十嵐橋花', '花梨五十嵐橋'])
    expect(await find(text)).toEqual([number]);
  expect(await find('五十嵐橋花子')).toEqual([]);
});

test('a name is found in half-width and full-width katakana and letters', async () => {
  const full = await aCart({ firstname: 'ガブリエル', lastname: 'マツモトザキ' });
  const half = await aCart({ firstname: 'ﾊﾟｳﾛ', lastname: 'ｶｻﾞﾏﾂﾘ', company: 'ﾌﾟﾗﾝｸｶﾝﾊﾟﾆｰ' });
  for (const text of ['ﾏﾂﾓﾄｻﾞｷ', 'ﾏﾂﾓﾄｻﾞｷ ｶﾞﾌﾞﾘｴﾙ', 'ﾏﾂﾓﾄｻﾞｷｶﾞﾌﾞ', 'マツモトザキ'])
    expect(await find(text)).toEqual([full]);
  for (const text of ['カザマツリ', 'ｶｻﾞﾏﾂﾘ', 'カザマツリパウロ', 'プランクカンパニー'])
    expect(await find(text)).toEqual([half]);
  const latin = await aCart({ lastname: 'Kazamatsuriya' });
  expect(await find('ＫＡＺＡＭＡＴＳＵＲＩＹＡ')).toEqual([latin]);
  const wide = await aCart({ firstname: 'Ｇａｂｒｉｅｌ', lastname: 'Ｙａｍａｎｏｕｃｈｉｙａ' });
  expect(await find('Ｙａｍａｎｏｕｃｈｉｙａ')).toEqual([wide]);
});

test('a name whose dakuten are characters of their own is found, and one by such a text', async () => {
  const apart = await aCart({ lastname: 'がじまる'.normalize('NFD'), company: 'ざぼん堂'.normalize('NFD') });
  for (const text of ['がじまる', 'がじまる'.normalize('NFD'), 'ざぼん堂'])
    expect(await find(text)).toEqual([apart]);
  const usual = await aCart({ lastname: 'ぐみのき' });
  expect(await find('ぐみのき'.normalize('NFD'))).toEqual([usual]);
});

test('a company with a full-width space is found', async () => {
  const order = await aCart({ company: '株式会社　松本製陶' });
  for (const text of ['株式会社　松本製陶', '株式会社 松本']) expect(await find(text)).toEqual([order]);
});

test('a SKU of short parts is found in small letters', async () => {
  const variant = await aSellableVariant();
  const sku = `Q${String(variant.id).slice(-1)}-Z${String(variant.id).slice(-1)}`;
  await testDb()('variants').where({ id: variant.id }).update({ sku });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
  expect(await find(sku.toLowerCase())).toEqual([order.number]);
});

test('Japanese postal codes and phone numbers are found as they are written in Japan', async () => {
  const address = {
    country: { iso: 'JP' },
    country_id: undefined,
    state_id: undefined,
    state_name: '東京都',
  };
  const number = await aCart({ ...address, zipcode: '1979876', phone: '090-8765-1977' });
  for (const text of ['〒197-9876', '〒1979876', '１９７－９８７６', '０９０－８７６５－１９７７'])
    expect(await find(text)).toEqual([number]);
});

test('postal codes and phone numbers in full-width characters are stored in ASCII', async () => {
  const address = {
    country: { iso: 'JP' },
    country_id: undefined,
    state_id: undefined,
    state_name: '東京都',
  };
  const full = {
    zipcode: '１９７－９８７５',
    phone: '０９０−８７６５ー１９７８',
    alternative_phone: '０３　１２３４',
    lastname: 'Ｋ鷲尾',
  };
  const number = await aCart({ ...address, ...full });
  const { ship_address } = (await (await asAdmin()).get(`/orders/${number}`)).body;
  expect(ship_address).toMatchObject({
    zipcode: '197-9875',
    phone: '090-8765-1978',
    alternative_phone: '03 1234',
    lastname: 'Ｋ鷲尾',
  });
  for (const text of ['197-9875', '090-8765-1978']) expect(await find(text)).toEqual([number]);
});

test('a postal code that is entered with its mark is stored without it', async () => {
  const address = {
    country: { iso: 'JP' },
    country_id: undefined,
    state_id: undefined,
    state_name: '東京都',
  };
  const number = await aCart({ ...address, zipcode: '〒１９７－９８７４' });
  const { ship_address } = (await (await asAdmin()).get(`/orders/${number}`)).body;
  expect(ship_address.zipcode).toBe('197-9874');
  expect(await find('1979874')).toEqual([number]);
});

test('an order is found by phone, with and without country code', async () => {
  const number = await aCart({ phone: '+49 (151) 777-66551' });
  for (const text of ['+49 151 77766551', '0151 77766551', '0049 151/77766551', '66551'])
    expect(await find(text)).toEqual([number]);
  expect(await find('77766')).toEqual([]);
});

test('an order is found by a company, whole and by its start', async () => {
  const company = `${unique('Tischlerei')} Öl & Söhne`;
  const number = await aCart({ company });
  for (const text of [company, company.toUpperCase(), company.slice(0, -6)])
    expect(await find(text)).toEqual([number]);
  expect(await find('Söhne')).not.toContain(number);
});

test('an order is found by zip code, whole and by its start', async () => {
  const number = await aCart({ zipcode: '96898-1234' });
  for (const text of ['96898', '96898-1234', '968981234']) expect(await find(text)).toEqual([number]);
});

test('an order is found by SKU, tracking number, shipment and invoice number', async () => {
  const variant = await aSellableVariant();
  const sku = `SKU-${unique('find')}`;
  await testDb()('variants').where({ id: variant.id }).update({ sku });
  const order = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
  const tracking = `1Z${unique('find').toUpperCase()}`;
  await (await asAdmin()).put(`/shipments/${order.shipments[0].number}/ship`, { shipment: { tracking } });
  const [invoice] = (await (await asAdmin()).get(`/orders/${order.number}/documents`)).body.documents;
  const { number: parcel } = order.shipments[0];
  for (const text of [
    sku,
    sku.toLowerCase(),
    tracking,
    tracking.toLowerCase(),
    parcel,
    parcel.toLowerCase(),
    invoice.number,
  ])
    expect(await find(text)).toContain(order.number);
  expect(await find(sku)).toEqual([order.number]);
  expect(await find(tracking)).toEqual([order.number]);
});

test('numbers, SKUs and e-mail addresses are found in full-width characters, as Japanese keyboards enter them', async () => {
  const variant = await aSellableVariant();
  const sku = unique('WIDE-SKU');
  await testDb()('variants').where({ id: variant.id }).update({ sku });
  const { number } = await aPaidOrder({ lines: [{ variant_id: variant.id }] });
  const order = (await (await asAdmin()).get(`/orders/${number}`)).body;
  const parcel = order.shipments[0].number;
  const { documents } = (await (await asAdmin()).get(`/orders/${number}/documents`)).body;
  for (const tracking of [unique('1Z-'), toFullWidth(unique('1Z-'))]) {
    await (await asAdmin()).put(`/shipments/${parcel}`, { shipment: { tracking } });
    expect(await find(toFullWidth(tracking))).toEqual([number]);
  }
  for (const text of [number, order.email, sku, parcel, documents[0].number])
    expect(await find(toFullWidth(text))).toContain(number);
});

/** Returns a text as it is entered with full-width characters. */
const toFullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

test('the first matching kind comes first, then the newest; q narrows and sorts', async () => {
  const name = unique('find');
  const byName = [await aCart({ lastname: name }), await aCart({ lastname: name })];
  const byEmail = await aCart({}, `${name}@example.com`);
  const both = await aCart({ lastname: name }, `${name}.2@example.com`);
  const [first, second] = byName;
  expect(await find(name)).toEqual([both, byEmail, second, first]);
  expect(await find(name, '&q[s]=id')).toEqual([first, second, byEmail, both]);
  expect(await find(name, `&q[number_eq]=${byEmail}`)).toEqual([byEmail]);
  const page = await search(name, '&per_page=1&page=3');
  expect([page.body.orders[0].number, page.body.total_count]).toEqual([second, 4]);
});

test('a blank search finds all orders', async () => {
  const number = await aCart();
  expect((await search('  ', `&q[number_eq]=${number}`)).body.total_count).toBe(1);
});

test('search narrows a feed', async () => {
  const name = unique('find');
  const order = await orderInState('complete', { email: `${name}@example.com` });
  await orderInState('complete');
  const reply = await search(name, '&cursor=');
  expect(reply.body.orders.map(({ number }: { number: string }) => number)).toEqual([order.number]);
});

test('what matches is searched once for a page and its total', async () => {
  const number = await aCart();
  const statements = await listQueries(() => find(number));
  expect(
    statements.join(';').match(/FROM orders WHERE number ILIKE|FROM addresses WHERE \(lower/g),
  ).toHaveLength(2);
});

test('patterns and quotes are text, and long or unreadable texts are refused', async () => {
  const number = await aCart({ lastname: `100% O'Hara_${unique('find')}` });
  expect(await find('100% O')).toContain(number);
  for (const text of [
    '%',
    '_',
    '%%%',
    '___',
    '\\',
    "'",
    '\\%',
    '"; DROP TABLE orders',
    '(((',
    'ab',
    '-'.repeat(100),
  ])
    expect(await find(text)).toEqual([]);
  expect((await search('a'.repeat(101))).status).toBe(422);
  expect((await search('a\0b')).body.errors).toEqual({ search: ['is invalid'] });
  expect((await (await asAdmin()).get('/orders?search[a]=b')).status).toBe(422);
});

test('only staff with orders:read search', async () => {
  expect((await api(await aCustomer()).get('/orders?search=a')).status).toBe(401);
  expect((await api(await aClerk(['catalog:write'])).get('/orders?search=a')).status).toBe(401);
  expect((await api(await aClerk(['orders:read'])).get('/orders?search=a')).status).toBe(200);
});
