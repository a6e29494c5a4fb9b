import { useQuery } from '@tanstack/preact-query';
import { unwrap } from 'store-api-client';
import { ownCardsQuery } from '../queries';
import { useShop } from '../shop';
import { cardName } from '../words';
import { Failure } from './loading';
import { OwnActions } from './own-actions';

/** The saved cards of a customer; nothing without one. */
export function OwnCards() {
  const shop = useShop();
  const { store } = shop;
  const cards = useQuery(ownCardsQuery(shop, true));
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
        {cards.data.map((card) => (
          <li key={card.id}>
            <p>
              {cardName(card)}, {card.month}/{card.year}
            </p>
            <OwnActions
              of={`the ${cardName(card)}`}
              isDefault={card.default}
              note={card.default ? 'Default' : null}
              remove={() => remove(card.id)}
              makeDefault={() => makeDefault(card.id)}
              refetch={cards.refetch}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
