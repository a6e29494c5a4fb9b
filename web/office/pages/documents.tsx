import { useQuery } from '@tanstack/preact-query';
import { unwrap, type ListedDocument } from 'store-api-client';
import { useSearch } from 'wouter-preact';
import { ChoiceField, Field } from '../../shared/field';
import { useMay } from '../access';
import { store } from '../office';
import { Download } from '../parts/download';
import { Email } from '../parts/email';
import { ListPage } from '../parts/list';
import { Loaded } from '../parts/loaded';
import { OrderLink } from '../parts/order-link';
import type { Column } from '../parts/table';
import { configQuery } from '../queries';
import { addDays, startOfDay } from '../rules/report-days';
import { moneyOf } from '../words';

const KINDS = {
  invoice: 'Invoice',
  correction: 'Correction',
  credit_note: 'Credit note',
} as const satisfies Readonly<Record<ListedDocument['kind'], string>>;

/** Returns the `q` of the API for the filters of the address. Their days are those of the store, as on the documents. */
function buildSearch(filter: (name: string) => string | null, timeZone: string) {
  const [from, to] = [filter('from'), filter('to')].map((day) => (isDay(day) ? day : null));
  const [kind, search] = [filter('kind'), filter('search')];
  return {
    ...(from != null && { created_at_gteq: startOfDay(timeZone, from) }),
    ...(to != null && { created_at_lt: startOfDay(timeZone, addDays(to, 1)) }),
    ...(kind !== null && { kind_eq: kind }),
    ...(search !== null && { number_or_order_number_or_email_cont: search }),
  };
}

/** An address can have anything. */
const isDay = (text: string | null): boolean => text !== null && !Number.isNaN(Date.parse(text));

const buildColumns = (timeZone: string, isPdfReadable: boolean): Column<ListedDocument>[] => [
  {
    name: 'Number',
    cell: ({ number, url }) =>
      isPdfReadable && url !== null ? (
        <Download path={url} file={`${number}.pdf`} name={number} scope="orders:read" class="link" />
      ) : (
        number
      ),
  },
  { name: 'Kind', isShort: true, cell: ({ kind }) => KINDS[kind] },
  {
    name: 'Date',
    isShort: true,
    cell: ({ created_at }) =>
      new Date(created_at).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone }),
  },
  { name: 'Order', isShort: true, cell: ({ order_number }) => <OrderLink number={order_number} /> },
  { name: 'Customer', cell: ({ email }) => <Email email={email} /> },
  { name: 'Net', isNumber: true, cell: ({ net_total, currency }) => moneyOf(net_total, currency) },
  { name: 'Tax', isNumber: true, cell: ({ tax_total, currency }) => moneyOf(tax_total, currency) },
  { name: 'Total', isNumber: true, cell: ({ total, currency }) => moneyOf(total, currency) },
];

/** The invoices, corrections and credit notes of all orders, the latest first, and as files for the accountant. */
export const Documents = () => (
  <Loaded query={useQuery(configQuery)}>{({ time_zone }) => <DocumentsOf timeZone={time_zone} />}</Loaded>
);

function DocumentsOf({ timeZone }: { timeZone: string }) {
  const may = useMay();
  const params = new URLSearchParams(useSearch());
  const asked = new URLSearchParams({
    q: JSON.stringify(buildSearch((name) => params.get(name), timeZone)),
  }).toString();
  return (
    <ListPage
      title="Documents"
      path="/documents"
      columns={buildColumns(timeZone, may('orders:read'))}
      keyOf={({ number, kind, order_number }) => `${kind} ${number} ${order_number}`}
      search={{ name: 'Find documents', placeholder: 'Number of a document or order, e-mail' }}
      actions={
        <>
          <Download
            path={`/api/v1/documents.csv?${asked}`}
            file="documents.csv"
            name="As CSV"
            scope="reports:read"
            class="button-quiet"
          />
          <Download
            path={`/api/v1/documents.zip?${asked}`}
            file="documents.zip"
            name="All PDFs"
            scope="reports:read"
            class="button-quiet"
          />
        </>
      }
      tools={({ filter, show }) => (
        <div class="fields fields-row">
          <Field label="From" type="date" value={filter('from') ?? ''} onText={(from) => show({ from })} />
          <Field label="To" type="date" value={filter('to') ?? ''} onText={(to) => show({ to })} />
          <ChoiceField label="Kind" value={filter('kind') ?? ''} onChoose={(kind) => show({ kind })}>
            <option value="">All</option>
            {Object.entries(KINDS).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}s
              </option>
            ))}
          </ChoiceField>
        </div>
      )}
      read={async ({ page, perPage, filter, signal }) => {
        const q = { ...buildSearch(filter, timeZone), s: 'id desc' } as const;
        const { documents, ...counts } = await unwrap(
          store.GET('/api/v1/documents', { params: { query: { q, page, per_page: perPage } }, signal }),
        );
        return { rows: documents, ...counts };
      }}
    />
  );
}
