import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { useShop } from '../shop';
import { Failure } from './loading';
import { OwnActions } from './own-actions';

/** The saved cards of a customer; nothing without one. */
export function OwnCards() {
  const { store } = useShop();
  const cards = useQuery({
    queryKey: ['own cards'],
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/credit_cards'))).credit_cards,
  });
  const remove = (id: number) =>
    unwrap(store.DELETE('/api/v1/users/me/credit_cards/{id}', { params: { path: { id } } }));
  const makeDefault = (id: number) =>
    unwrap(
      store.PUT('/api/v1/users/me/credit_cards/{id}', {
        params: { path: { id } },
        body: { credit_card: { default: true } },
      }),
    );
  if (cards.isError) return <Failure retry={cards.refetch} />;
  if (cards.data === undefined || cards.data.length === 0) return null;
  return (
    <section class="row">
      <h2>Cards</h2>
      <ul class="boxes">
        {cards.data.map(({ id, cc_type, last_digits, month, year, default: isDefault }) => (
          <li key={id}>
            <p>
              {cc_type ?? 'Card'} ending in {last_digits}, {month}/{year}
            </p>
            <OwnActions
              of={`the card ending in ${last_digits}`}
              isDefault={isDefault}
              note={isDefault ? 'Default' : null}
              remove={() => remove(id)}
              makeDefault={() => makeDefault(id)}
              refetch={cards.refetch}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
