/** The script of the page: it reads the category, shows products and facets, and fills a cart. */
import { createStoreClient, unwrap, type operations } from 'store-api-client';
import { showCart, type Cart } from './cart';
import { renderFacets, type Filters } from './facets';
import { element, find } from './elements';
import { renderProduct } from './product';

type Query = NonNullable<operations['listProducts']['parameters']['query']>;

const { searchParams } = new URL(location.href);
const baseUrl = searchParams.get('store') ?? location.origin;
/** The category, by the permalink of its taxon. */
const taxon = searchParams.get('taxon');

let cart: Cart | null = null;
const store = createStoreClient({ baseUrl, orderToken: () => cart?.token });

let filters: Filters = { options: {}, properties: {}, price_max: '', in_stock: false };
let words = '';
let reading = new AbortController();

function buildQuery(): Query {
  return {
    option: filters.options,
    property: filters.properties,
    ...(taxon !== null && { taxon }),
    ...(words !== '' && { search: words }),
    ...(filters.price_max !== '' && { price_max: filters.price_max }),
    ...(filters.in_stock && { in_stock: true }),
    facets: 'options,properties,price,in_stock',
    fields: 'id,name,slug,price_range,in_stock',
  };
}

/** Reads the products and counts of the current filters. A later change makes an earlier answer obsolete. */
async function showCategory(): Promise<void> {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const params = { query: buildQuery() };
  const { products, facets, total_count } = await unwrap(store.GET('/api/v1/products', { params, signal }));
  find('facets').replaceChildren(
    ...renderFacets(facets ?? {}, filters, (changed) => {
      filters = changed;
      run(showCategory());
    }),
  );
  find('total').textContent = `${total_count} products`;
  find('products').replaceChildren(
    ...products.map(({ name, slug, price_range: { display_min, display_max }, in_stock }) => {
      const price = display_min === display_max ? display_min : `${display_min} – ${display_max}`;
      const link = element('a', { href: `#${slug}` }, name);
      link.addEventListener('click', () => run(showProduct(slug)));
      return element('li', {}, link, ` ${price}`, in_stock ? '' : ' (sold out)');
    }),
  );
  find('category').hidden = false;
  find('product').hidden = true;
}

async function showProduct(slug: string): Promise<void> {
  const product = await unwrap(store.GET('/api/v1/products/{id}', { params: { path: { id: slug } } }));
  find('product').replaceChildren(...renderProduct(product, (variantId) => run(addToCart(variantId))));
  find('category').hidden = true;
  find('product').hidden = false;
}

/** Adds a unit to the cart, which is created with the first one. */
async function addToCart(variant_id: number): Promise<void> {
  const line_item = { variant_id, quantity: 1 };
  if (cart === null) {
    cart = await unwrap(store.POST('/api/v1/orders', { body: { order: { line_items: [line_item] } } }));
  } else {
    const params = { path: { number: cart.number } };
    await unwrap(store.POST('/api/v1/orders/{number}/line_items', { params, body: { line_item } }));
    cart = await unwrap(store.GET('/api/v1/orders/{number}', { params }));
  }
  showCart(cart);
}

/** Shows what fails; an aborted request is no failure. */
function run(work: Promise<void>): void {
  document.body.toggleAttribute('data-busy', true);
  work
    .catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    })
    .finally(() => document.body.toggleAttribute('data-busy', false));
}

find('search').addEventListener('submit', (event) => {
  event.preventDefault();
  words = find<HTMLInputElement>('words').value.trim();
  run(showCategory());
});
run(showCategory());
