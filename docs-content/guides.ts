import { readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import type { DocsPage } from '../src/platform/openapi/docs.router';

/** The guides in the order of their overview, by the name of their file in guides/. */
const GUIDES = [
  'guest-checkout',
  'declined-card',
  'sign-in-with-a-cart',
  'coupons',
  'returns',
  'repeating-safely',
  'erp-in-step',
  'going-live',
  'compatibility',
] as const;

export interface Guide {
  name: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  /** The source, in Markdown. */
  text: string;
}

/** Reads the guides. Each begins with its title and a paragraph that says what it is about. */
export function readGuides(): Guide[] {
  return GUIDES.map((name) => {
    const text = readFileSync(path.join(__dirname, 'guides', `${name}.md`), 'utf8');
    const [title = '', summary = ''] = text.split('\n\n');
    return { name, title: title.replace(/^# /, ''), summary: summary.replaceAll('\n', ' '), text };
  });
}

/** Builds the pages /docs/guides and /docs/guides/<name>. */
export function buildGuidePages(): DocsPage[] {
  const markdown = new MarkdownIt();
  const guides = readGuides();
  const overview = guides.map(({ name, title, summary }) => `- [${title}](/docs/guides/${name}): ${summary}`);
  return [
    { name: 'guides', title: 'Guides', body: markdown.render(`# Guides\n\n${overview.join('\n')}`) },
    ...guides.map(({ name, title, text }) => ({
      name: `guides/${name}`,
      title,
      body: markdown.render(text),
    })),
  ];
}
