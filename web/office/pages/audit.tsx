import { unwrap, type AuditEntry } from 'store-api-client';
import { store } from '../office';
import { ListPage } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf } from '../words';

const isPair = (change: unknown): change is [unknown, unknown] =>
  Array.isArray(change) && change.length === 2;

/** Returns a change as text: from what to what, or the only value. */
function inText(change: unknown): string {
  const show = (value: unknown): string =>
    value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  if (!isPair(change)) return show(change);
  return change[0] === null ? show(change[1]) : `${show(change[0])} → ${show(change[1])}`;
}

/** A new record also names the columns that are empty. */
const isNothing = (value: unknown): boolean => value === null || JSON.stringify(value) === '{}';
const isEmpty = (change: unknown): boolean => (isPair(change) ? change.every(isNothing) : isNothing(change));

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
};

/** Returns the kind of a record in words: stock location for StockLocation. */
const nameKind = (type: string): string =>
  type
    .replace('Store::', '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toLowerCase())
    .replace(/^api /, 'API ');

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', cell: ({ created_at }) => dateOf(created_at) },
  { name: 'Who', cell: ({ user_email, api_token_name }) => user_email ?? api_token_name ?? 'The store' },
  {
    name: 'What',
    cell: ({ action, subject_type, subject_id }) =>
      `${ACTIONS[action]} ${nameKind(subject_type)} ${subject_id ?? ''}`,
  },
  {
    name: 'Changes',
    cell: ({ changes }) => (
      <ul class="changes">
        {Object.entries(changes)
          .filter(([name, change]) => name !== 'id' && !isEmpty(change))
          .map(([name, change]) => (
            <li key={name}>
              <span class="quiet">{name.replaceAll('_', ' ')}</span> {inText(change)}
            </li>
          ))}
      </ul>
    ),
  },
];

/** What staff, jobs and the command line have changed, the latest first. */
export const Audit = () => (
  <ListPage
    title="Audit log"
    path="/audit"
    columns={COLUMNS}
    keyOf={({ id }) => id}
    search={{ name: 'Find changes', placeholder: 'E-mail or kind of record' }}
    read={async ({ search, page, perPage, signal }) => {
      const { audit_log, ...counts } = await unwrap(
        store.GET('/api/v1/audit_log', {
          params: {
            query: {
              q: { ...(search !== '' && { user_email_or_subject_type_cont: search }) },
              page,
              per_page: perPage,
            },
          },
          signal,
        }),
      );
      return { rows: audit_log, ...counts };
    }}
  />
);
