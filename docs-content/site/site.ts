import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escapeHtml } from '../../src/platform/escape-html';
import type { DocsFile } from '../../src/platform/openapi/docs.router';
import { buildErrorsPage } from '../errors-page';
import { groupGuides, readGuides, type Guide } from '../guides';
import { INTRODUCTION } from '../introduction';
import { MACHINES } from '../state-machines';
import { buildStateMachinesPage } from '../state-machines-page';
import { readDocument, type ApiDocument } from './document';
import { renderPage, type PageContent } from './layout';
import { anchorOf, renderMarkdown } from './markdown';
import { buildNavigation, urlOfTag, type NavLink } from './navigation';
import { renderOperation } from './operation';
import { renderProperties } from './properties-table';
import { listSearchEntries } from './search-entries';

let kept: ReadonlyMap<string, DocsFile> | undefined;

/**
 * Returns the files of the documentation by their path: the introduction, guides, reference, error codes, state machines
 * and records in one design. Built once, from the document of the first call.
 */
export function getDocsFiles(buildDocument: () => Record<string, unknown>): ReadonlyMap<string, DocsFile> {
  kept ??= buildFiles(readDocument(buildDocument()), readGuides());
  return kept;
}

function buildFiles(document: ApiDocument, guides: readonly Guide[]): Map<string, DocsFile> {
  const groups = buildNavigation(document.tags, guides);
  const pages: PageContent[] = [
    buildIntroduction(),
    buildOverview(guides),
    ...guides.map(buildGuide),
    ...document.tags.map((tag) => buildTag(document, tag)),
    {
      url: '/docs/errors',
      title: 'Error codes',
      body: `<div class="stack">${buildErrorsPage()}</div>`,
      headings: [],
    },
    {
      url: '/docs/state-machines',
      title: 'State machines',
      body: buildStateMachinesPage(),
      headings: MACHINES.map(({ title }) => ({ title, url: `#${anchorOf(title)}` })),
    },
    buildRecords(document),
  ];
  const html = pages.map((page) => [page.url, { type: 'html', text: renderPage(page, groups) }] as const);
  return new Map<string, DocsFile>([
    ...html,
    ['/docs/site.css', { type: 'css', text: readAsset('site.css') }],
    ['/docs/site.js', { type: 'js', text: readAsset('site.js') }],
    ['/docs/search.json', { type: 'json', text: JSON.stringify(listSearchEntries(document, guides)) }],
  ]);
}

const readAsset = (name: string): string => readFileSync(path.join(__dirname, 'assets', name), 'utf8');

/** Returns links to the headings of a Markdown text. */
function listHeadings(markdown: string): NavLink[] {
  return [...markdown.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) => ({
    title,
    url: `#${anchorOf(title)}`,
  }));
}

const CARDS: readonly (readonly [title: string, url: string, text: string])[] = [
  [
    'Build a storefront',
    '/docs/guides/build-a-storefront',
    'Category pages, search, cart and order history with the typed client.',
  ],
  ['Sell to guests', '/docs/guides/guest-checkout', 'From an empty cart to a paid order in seven requests.'],
  ['Connect an ERP', '/docs/guides/erp-in-step', 'Feeds that miss no change, and stock and prices in bulk.'],
  ['Go live', '/docs/guides/going-live', 'A database of your own, payments, secrets and backups.'],
];

function buildIntroduction(): PageContent {
  const cards = CARDS.map(
    ([title, url, text]) => `<a class="card" href="${url}"><b>${title}</b><span>${text}</span></a>`,
  );
  const [about = '', ...rest] = INTRODUCTION.split('\n\n');
  const text = rest.join('\n\n');
  return {
    url: '/docs',
    title: 'Introduction',
    headings: listHeadings(text),
    body: `<h1>Store API</h1><p class="lead">${escapeHtml(about)}</p><div class="cards">${cards.join('')}</div>${renderMarkdown(text)}`,
  };
}

function buildOverview(guides: readonly Guide[]): PageContent {
  const buildCard = ({ name, title, summary }: Guide) =>
    `<a class="card" href="/docs/guides/${name}"><b>${escapeHtml(title)}</b><span>${escapeHtml(summary.replaceAll('`', ''))}</span></a>`;
  const groups = groupGuides(guides).map(([title, ofGroup]) => {
    const cards = ofGroup.map(buildCard).join('');
    return `<h2 id="${anchorOf(title)}">${escapeHtml(title)}</h2><div class="cards">${cards}</div>`;
  });
  const body = `<h1>Guides</h1><p class="lead">Each guide runs as it stands against the demo store, in a shell and with the typed client.</p>${groups.join('')}`;
  return { url: '/docs/guides', title: 'Guides', body, headings: [] };
}

function buildGuide({ name, title, text }: Guide): PageContent {
  return { url: `/docs/guides/${name}`, title, body: renderMarkdown(text), headings: listHeadings(text) };
}

function buildTag(document: ApiDocument, { name, description }: ApiDocument['tags'][number]): PageContent {
  const operations = document.operations.filter(({ tag }) => tag === name);
  return {
    url: urlOfTag(name),
    title: name,
    // The sidebar has the first words only.
    headings: operations.map(({ id, summary }) => ({
      title: summary.replace(/; .*$/, ''),
      url: `#${id}`,
    })),
    body: `<h1>${escapeHtml(name)}</h1><div class="lead">${renderMarkdown(description)}</div>${operations
      .map((operation) => renderOperation(document, operation))
      .join('\n')}`,
  };
}

function buildRecords(document: ApiDocument): PageContent {
  const sections = Object.entries(document.schemas).map(([name, schema]) => {
    const list = renderProperties(document, schema);
    return list === '' ? '' : `<section><h2 id="${name}">${name}</h2>${list}</section>`;
  });
  return {
    url: '/docs/records',
    title: 'Records',
    headings: [],
    body: `<h1>Records</h1><p class="lead">What the bodies of requests and responses contain.</p>${sections.join('\n')}`,
  };
}
