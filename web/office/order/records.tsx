import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type StateChange } from 'store-api-client';
import { store } from '../office';
import { Download } from '../parts/download';
import { Loaded } from '../parts/loaded';
import { dateOf, inWords } from '../words';

/** The invoice and the other documents of an order. */
export function Documents({ number }: { number: string }) {
  const query = useQuery({
    queryKey: ['documents', number],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/orders/{number}/documents', { params: { path: { number } } })))
        .documents,
  });
  return (
    <section class="box">
      <h2>Documents</h2>
      <Loaded query={query}>
        {(documents) => (
          <ul class="documents">
            {documents.length === 0 && <li class="quiet">None yet</li>}
            {documents.map(({ number: name, kind, created_at, url }) => (
              <li key={name}>
                <Download path={url} file={`${name}.pdf`} name={name} scope="orders:read" class="link" />{' '}
                <span class="quiet">
                  {kind.replaceAll('_', ' ')}, {dateOf(created_at)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

/** What has happened to an order; read when it is opened. */
export function History({ number }: { number: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="box" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>History</h2>
      </summary>
      {isOpen && <Changes number={number} />}
    </details>
  );
}

const NAMES: Readonly<Record<StateChange['subject_type'], string>> = {
  order: 'Order',
  payment: 'Payment',
  shipment: 'Parcel',
  return_authorization: 'Return',
};

/** The steps of the checkout are all a cart to staff. */
const isVisible = ({ subject_type: of, from_state, to_state }: StateChange): boolean =>
  inWords(from_state, of) !== inWords(to_state, of);

async function readChanges(number: string): Promise<StateChange[]> {
  const changes: StateChange[] = [];
  for (let page = 1; ; page += 1) {
    const query = { per_page: 200, page };
    const read = await unwrap(
      store.GET('/api/v1/orders/{number}/history', { params: { path: { number }, query } }),
    );
    changes.push(...read.state_changes);
    if (page >= read.pages) return changes;
  }
}

function Changes({ number }: { number: string }) {
  const query = useQuery({ queryKey: ['history', number], queryFn: () => readChanges(number) });
  return (
    <Loaded query={query}>
      {(changes) => (
        <ol class="history">
          {changes
            .filter(isVisible)
            .map(({ id, created_at, subject_type, number: subject, from_state, to_state, reason, user }) => (
              <li key={id}>
                <time dateTime={created_at}>{dateOf(created_at)}</time>
                <span>
                  {NAMES[subject_type]} {subject}:{' '}
                  {from_state !== null && `${inWords(from_state, subject_type)} → `}
                  {inWords(to_state, subject_type)}
                  <span class="quiet">
                    {' '}
                    {reason}
                    {user != null && `, ${user.email}`}
                  </span>
                </span>
              </li>
            ))}
        </ol>
      )}
    </Loaded>
  );
}
