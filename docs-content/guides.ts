import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The guides by group, in the order of the sidebar, by the name of their file in guides/. */
const GUIDES: Readonly<Record<string, readonly string[]>> = {
  'Build a shop': [
    'build-a-storefront',
    'guest-checkout',
    'declined-card',
    'take-real-payments',
    'sign-in-with-a-cart',
    'coupons',
    'returns',
    'languages-of-search',
  ],
  Integrate: ['repeating-safely', 'erp-in-step', 'events-and-webhooks', 'moving-in', 'compatibility'],
  Operate: ['going-live', 'two-factor-sign-in', 'behind-a-cdn'],
};

export interface Guide {
  name: string;
  /** The title of its group. */
  group: string;
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
  const named = Object.entries(GUIDES).flatMap(([group, names]) => names.map((name) => ({ group, name })));
  return named.map(({ group, name }) => {
    const text = readText(name).replace(/\{\{(\w+)\}\}/g, (_, part: string) => readText(`parts/${part}`));
    const [title = '', summary = ''] = text.split('\n\n');
    return { name, group, title: title.replace(/^# /, ''), summary: summary.replaceAll('\n', ' '), text };
  });
}

/** Returns the guides of each group, in their order. */
export function groupGuides(guides: readonly Guide[]): [group: string, guides: Guide[]][] {
  const groups = new Map<string, Guide[]>();
  for (const guide of guides) groups.set(guide.group, [...(groups.get(guide.group) ?? []), guide]);
  return [...groups];
}
