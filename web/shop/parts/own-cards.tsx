import { useMutation, useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { useShop } from '../shop';
import { Failure } from './loading';

/** The saved cards of a customer; nothing without one. */
export function OwnCards() {
  const { store } = useShop();
  const cards = useQuery({
    queryKey: ['own cards'],
    queryFn: async () => (await unwrap(store.GET('/api/v1/users/me/credit_cards'))).credit_cards,
  });
  const refetch = (): unknown => cards.refetch();
  const remove = useMutation({
    mutationFn: (id: number) =>
      unwrap(store.DELETE('/api/v1/users/me/credit_cards/{id}', { params: { path: { id } } })),
    onSettled: refetch,
  });
  const makeDefault = useMutation({
    mutationFn: (id: number) =>
      unwrap(
        store.PUT('/api/v1/users/me/credit_cards/{id}', {
          params: { path: { id } },
          body: { credit_card: { default: true } },
        }),
      ),
    onSettled: refetch,
  });
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
            <p class="box-actions">
              <button type="button" class="link" onClick={() => remove.mutate(id)}>
                Remove<span class="visually-hidden"> the card ending in {last_digits}</span>
              </button>
              {isDefault ? (
                <span class="box-note">Default</span>
              ) : (
                <button type="button" class="link" onClick={() => makeDefault.mutate(id)}>
                  Make default<span class="visually-hidden">: the card ending in {last_digits}</span>
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
