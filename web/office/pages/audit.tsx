import { unwrap, type AuditEntry } from 'store-api-client';
import { Link } from 'wouter-preact';
import { useMay, type Scope } from '../access';
import { store } from '../office';
import { ListPage } from '../parts/list';
import type { Column } from '../parts/table';
import { dateOf } from '../words';

const ORDER = 'Store::Order';

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
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toLowerCase())
    .replace(/^api /, 'API ');

/** Whether only a part of the record was created or deleted, such as an adjustment of an order: it names the record. */
const isOfPart = ({ subject_type, changes }: AuditEntry): boolean =>
  `${nameKind(subject_type).toLowerCase().replaceAll(' ', '_')}_id` in changes;

/** A change, and the number of its order, if it is known. */
interface Entry extends AuditEntry {
  number?: string | undefined;
}

/** The pages of records: how their addresses begin, and who may open them. */
const PAGES: Readonly<Record<string, readonly [path: string, scope: Scope]>> = {
  [ORDER]: ['/orders', 'orders:read'],
  'Store::Product': ['/products', 'catalog:read'],
  'Store::User': ['/customers', 'customers:read'],
};

/** What was done to which record, with a link to its page if it has one. */
function What({ entry }: { entry: Entry }) {
  const { subject_type, subject_id, number } = entry;
  const action = isOfPart(entry) ? 'update' : entry.action;
  const may = useMay();
  const name = subject_type === ORDER ? number : subject_id;
  const page = action === 'delete' ? undefined : PAGES[subject_type];
  return (
    <>
      {ACTIONS[action]} {nameKind(subject_type)}{' '}
      {page !== undefined && name != null && may(page[1]) ? (
        <Link href={`${page[0]}/${name}`}>{name}</Link>
      ) : (
        (name ?? subject_id)
      )}
    </>
  );
}

/** Returns the numbers of orders by their ids. */
async function readNumbers(ids: readonly number[], signal: AbortSignal): Promise<Map<number, string>> {
  const { orders } = await unwrap(
    store.GET('/api/v1/orders', {
      params: { query: { q: { id_in: [...ids] }, per_page: ids.length, fields: 'id,number' } },
      signal,
    }),
  );
  return new Map(orders.map(({ id, number }) => [id, number]));
}

const COLUMNS: readonly Column<Entry>[] = [
  { name: 'When', isShort: true, cell: ({ created_at }) => dateOf(created_at) },
  { name: 'Who', cell: ({ user_email, api_token_name }) => user_email ?? api_token_name ?? 'The store' },
  { name: 'What', cell: (entry) => <What entry={entry} /> },
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
export function Audit() {
  const may = useMay();
  return (
    <ListPage<Entry>
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
        const ids = audit_log.flatMap(({ subject_type, subject_id }) =>
          subject_type === ORDER && subject_id !== null ? [subject_id] : [],
        );
        const numbers =
          ids.length > 0 && may('orders:read')
            ? await readNumbers([...new Set(ids)], signal)
            : new Map<number, string>();
        return {
          rows: audit_log.map((entry) => ({ ...entry, number: numbers.get(entry.subject_id ?? 0) })),
          ...counts,
        };
      }}
    />
  );
}
