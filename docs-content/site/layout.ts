import { escapeHtml } from '../../src/platform/escape-html';
import type { NavGroup, NavLink } from './navigation';

export interface PageContent {
  url: string;
  title: string;
  /** Trusted HTML. */
  body: string;
  /** The headings of the page, for the sidebar. */
  headings: readonly NavLink[];
}

/** Renders a page in the frame of the site: search, sidebar, and links to the previous and the next page. */
export function renderPage({ url, title, body, headings }: PageContent, groups: readonly NavGroup[]): string {
  const links = groups.flatMap((group) => group.links);
  const at = links.findIndex((link) => link.url === url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Store API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/site.css">
<script type="module" src="/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar"><span class="bars" aria-hidden="true"></span><span class="label">Menu</span></button>
<a class="brand" href="/docs">Store API</a>
<div class="search"><input type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul id="results" role="listbox" aria-label="Search results" hidden></ul></div>
<details class="credentials"><summary><span class="state">Token</span></summary><form><p>Sent by <b>Send</b>. Both are kept in this tab until it is closed (sessionStorage).</p>
<label>API token <input type="password" name="token" autocomplete="off" placeholder="X-Store-Token"></label>
<label>Order token <input type="password" name="orderToken" autocomplete="off" placeholder="X-Order-Token"></label>
<button type="submit">Keep</button> <button type="reset">Forget</button></form></details>
</header>
<div class="frame">
<nav id="sidebar" aria-label="Pages">
${groups.map((group) => renderGroup(group, url, headings)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${body}
<nav class="turn" aria-label="Previous and next page">${renderTurn('Previous', links[at - 1])}${renderTurn('Next', at === -1 ? undefined : links[at + 1])}</nav>
</main>
</div>
</body>
</html>
`;
}

function renderGroup({ title, links }: NavGroup, url: string, headings: readonly NavLink[]): string {
  const items = links.map((link) => {
    const isCurrent = link.url === url;
    const inside =
      !isCurrent || headings.length === 0
        ? ''
        : `<ul class="inside">${headings.map(renderLink).join('')}</ul>`;
    return `<li><a href="${link.url}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(link.title)}</a>${inside}</li>`;
  });
  return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
}

const renderLink = ({ title, url }: NavLink): string => `<li><a href="${url}">${escapeHtml(title)}</a></li>`;

function renderTurn(label: string, link: NavLink | undefined): string {
  if (link === undefined) return '<span></span>';
  return `<a class="${label.toLowerCase()}" href="${link.url}"><small>${label}</small> ${escapeHtml(link.title)}</a>`;
}
