import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The guides in the order of their overview, by the name of their file in guides/. */
const GUIDES = [
  'build-a-storefront',
  'guest-checkout',
  'declined-card',
  'sign-in-with-a-cart',
  'coupons',
  'returns',
  'repeating-safely',
  'erp-in-step',
  'moving-in',
  'languages-of-search',
  'behind-a-cdn',
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

const readText = (name: string): string =>
  readFileSync(path.join(__dirname, 'guides', `${name}.md`), 'utf8').trimEnd();

/**
 * Reads the guides. Each begins with its title and a paragraph that says what it is about. `{{setup}}` stands for the text
 * of parts/setup.md, so that every guide is complete.
 */
export function readGuides(): Guide[] {
  return GUIDES.map((name) => {
    const text = readText(name).replace(/\{\{(\w+)\}\}/g, (_, part: string) => readText(`parts/${part}`));
    const [title = '', summary = ''] = text.split('\n\n');
    return { name, title: title.replace(/^# /, ''), summary: summary.replaceAll('\n', ' '), text };
  });
}
