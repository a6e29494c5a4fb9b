import { formatDecimal } from '../../platform/money';
import { buildImageUrl } from '../images/images.serializer';
import type { ListedOffer } from './listed-offers.repository';
import { element, escapeXml } from './xml';

/** What the addresses in a feed are built from. */
export interface FeedStore {
  name: string;
  /** The storefront. */
  url: string;
  /** The page of a product, with `{slug}`. */
  product_url: string;
  /** Before the path of an image that has no host. */
  files_url: string;
}

/** Limits of Google Merchant Center. */
const LONGEST_TITLE = 150;
const LONGEST_DESCRIPTION = 5_000;

/** Option types with an element of their own: its name, and their names in the languages of stores, in lower case. */
const OPTION_ELEMENTS = new Map(
  Object.entries({
    'g:color': 'color colour farbe couleur colore kleur 色 カラー',
    'g:size': 'size größe groesse taille talla taglia maat サイズ',
    'g:material': 'material matériau matière materiale materiaal 素材',
    'g:pattern': 'pattern muster motif estampado fantasia patroon 柄',
  }).flatMap(([element, names]) => names.split(' ').map((name) => [name, element] as const)),
);

export function buildFeedStart(store: FeedStore): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>' +
    `${element('title', store.name)}${element('link', store.url)}${element('description', store.name)}\n`
  );
}

export const FEED_END = '</channel></rss>\n';

/** Builds the item of a variant. */
export function buildFeedItem(offer: ListedOffer, store: FeedStore): string {
  const values = offer.options.map(({ value }) => value);
  const title = [offer.name, ...values].join(' ').slice(0, LONGEST_TITLE);
  const parts = [
    element('g:id', offer.sku === '' ? String(offer.variant_id) : offer.sku),
    element('g:item_group_id', values.length === 0 ? null : String(offer.product_id)),
    element('title', title),
    element('description', (offer.description ?? offer.name).slice(0, LONGEST_DESCRIPTION)),
    element('link', buildProductUrl(store, offer.slug)),
    element('g:image_link', offer.image === null ? null : buildImageLink(offer.image, store)),
    element('g:availability', offer.is_available ? 'in_stock' : 'out_of_stock'),
    element('g:price', `${formatDecimal(offer.price) ?? ''} ${offer.currency}`),
    element('g:condition', 'new'),
    element('g:brand', offer.brand),
    element('g:gtin', offer.barcode),
    element('g:mpn', offer.sku),
    offer.barcode === null && offer.brand === null ? element('g:identifier_exists', 'no') : '',
    element('g:product_type', offer.taxon?.replaceAll(' -> ', ' > ') ?? null),
    ...offer.options.map(({ type, value }) => {
      const name = OPTION_ELEMENTS.get(type.normalize().toLowerCase());
      return name === undefined ? '' : element(name, value);
    }),
  ];
  return `<item>${parts.join('')}</item>\n`;
}

/** Builds the address of the page of a product. */
export function buildProductUrl({ product_url }: Pick<FeedStore, 'product_url'>, slug: string): string {
  return product_url.replaceAll('{slug}', () => encodeURIComponent(slug));
}

function buildImageLink(image: NonNullable<ListedOffer['image']>, { files_url }: FeedStore): string {
  const url = buildImageUrl(
    { ...image, attachment_updated_at: new Date(image.attachment_updated_at) },
    'xlarge',
  );
  return url.startsWith('/') ? files_url + url : url;
}

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export const SITEMAP_START = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${SITEMAP}">\n`;
export const SITEMAP_END = '</urlset>\n';

export function buildSitemapEntry(url: string, changedAt: Date): string {
  return `<url>${element('loc', url)}${element('lastmod', changedAt.toISOString())}</url>\n`;
}

/** Builds the list of the pages of a large sitemap. */
export function buildSitemapIndex(url: string, pages: number): string {
  const entries = Array.from(
    { length: pages },
    (_none, index) => `<sitemap><loc>${escapeXml(`${url}?page=${index + 1}`)}</loc></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${SITEMAP}">\n${entries.join('')}</sitemapindex>\n`;
}
