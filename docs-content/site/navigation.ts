import { groupGuides, type Guide } from '../guides';
import { anchorOf } from './markdown';

export interface NavLink {
  title: string;
  url: string;
}

export interface NavGroup {
  title: string;
  links: readonly NavLink[];
}

/** The tags after which a group of the sidebar ends, with the title of the group. */
const GROUPS: readonly (readonly [title: string, last: string])[] = [
  ['Catalog', 'Classifications'],
  ['Inventory', 'Stock movements'],
  ['Orders', 'Return authorizations'],
  ['Customers', 'Sessions'],
  ['Settings', 'Config'],
  ['Integration', ''],
];

/** Returns the path of the page of a tag. */
export function urlOfTag(tag: string): string {
  return `/docs/reference/${anchorOf(tag)}`;
}

/** Builds the sidebar of all pages; its order is that of previous and next. */
export function buildNavigation(tags: readonly { name: string }[], guides: readonly Guide[]): NavGroup[] {
  const groups: NavGroup[] = [];
  let rest = tags.map(({ name }) => name);
  for (const [title, last] of GROUPS) {
    const end = last === '' ? rest.length : rest.indexOf(last) + 1;
    const names = rest.slice(0, end);
    rest = rest.slice(end);
    if (names.length > 0)
      groups.push({ title, links: names.map((name) => ({ title: name, url: urlOfTag(name) })) });
  }
  return [
    {
      title: 'Start',
      links: [
        { title: 'Introduction', url: '/docs' },
        { title: 'All guides', url: '/docs/guides' },
      ],
    },
    ...groupGuides(guides).map(([title, ofGroup]) => ({
      title,
      links: ofGroup.map((guide) => ({ title: guide.title, url: `/docs/guides/${guide.name}` })),
    })),
    ...groups,
    {
      title: 'Appendix',
      links: [
        { title: 'Error codes', url: '/docs/errors' },
        { title: 'State machines', url: '/docs/state-machines' },
        { title: 'Records', url: '/docs/records' },
      ],
    },
  ];
}
