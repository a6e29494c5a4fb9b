import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type SavedAddress } from 'store-api-client';
import { AddressLines } from '../../shared/address-lines';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { emptyAddress, toAttributes, toForm, type AddressForm } from '../address';
import { ownAddressesQuery, settingsQuery } from '../queries';
import { useShop } from '../shop';
import { AddressFields } from './address-fields';
import { Failure, Loading } from './loading';
import { OwnActions } from './own-actions';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

/** The saved addresses of a customer, and the form that adds or changes one. */
export function OwnAddresses() {
  const shop = useShop();
  const { store } = shop;
  const addresses = useQuery(ownAddressesQuery(shop, true));
  const { data: settings } = useQuery(settingsQuery(shop));
  // The address in the form; without an id for a new one.
  const [edited, edit] = useState<{ id: number | null; value: AddressForm } | null>(null);
  const remove = (id: number) =>
    unwrap(store.DELETE('/api/v1/users/me/addresses/{id}', { params: { path: { id } } }));
  const makeDefault = (id: number) =>
    unwrap(
      store.PUT('/api/v1/users/me/addresses/{id}', {
        params: { path: { id } },
        body: { address: { default_ship: true, default_bill: true } },
      }),
    );
  if (addresses.isError) return <Failure retry={addresses.refetch} />;
  if (addresses.data === undefined) return <Loading />;
  if (edited !== null)
    return <EditedAddress {...edited} onEnd={() => edit(null)} onSaved={() => void addresses.refetch()} />;
  return (
    <>
      {addresses.data.length === 0 && <p>There are no addresses yet.</p>}
      <ul class="boxes">
        {addresses.data.map((address: SavedAddress) => (
          <li key={address.id}>
            <p class="address">
              <AddressLines address={address} />
            </p>
            <OwnActions
              of={`the address of ${address.full_name}`}
              isDefault={address.default_ship && address.default_bill}
              note={noteOf(address)}
              remove={() => remove(address.id)}
              makeDefault={() => makeDefault(address.id)}
              refetch={addresses.refetch}
            >
              <button
                type="button"
                class="link"
                onClick={() => edit({ id: address.id, value: toForm(address) })}
              >
                Edit<span class="visually-hidden"> the address of {address.full_name}</span>
              </button>
            </OwnActions>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="button-quiet"
        onClick={() => edit({ id: null, value: emptyAddress(settings?.default_country_id ?? 0) })}
      >
        Add an address
      </button>
    </>
  );
}

function noteOf({ default_ship, default_bill }: SavedAddress): string | null {
  if (default_ship) return default_bill ? 'Default' : 'Default for delivery';
  return default_bill ? 'Default for the invoice' : null;
}

interface EditedAddressProps {
  id: number | null;
  value: AddressForm;
  onEnd: () => void;
  onSaved: () => void;
}

function EditedAddress({ id, value, onEnd, onSaved }: EditedAddressProps) {
  const { store } = useShop();
  const [form, setForm] = useState(value);
  const save = useOnce({
    mutationFn: () => {
      const body = { address: toAttributes(form) };
      return unwrap(
        id === null
          ? store.POST('/api/v1/users/me/addresses', { body })
          : store.PUT('/api/v1/users/me/addresses/{id}', { params: { path: { id } }, body }),
      );
    },
    onSuccess: () => {
      onSaved();
      onEnd();
    },
  });
  const { fields, summary } = save.isError ? readMessages(save.error) : NO_MESSAGES;
  return (
    <form
      class="step own-form"
      aria-label={id === null ? 'New address' : 'Change the address'}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <AddressFields kind="shipping" value={form} errors={fields} onChange={setForm} />
      <ErrorNotice error={save.error} text={summary} />
      <div class="form-actions">
        <button class="button" disabled={save.isPending}>
          {save.isPending ? 'Saving…' : 'Save the address'}
        </button>
        <button type="button" class="button-quiet" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </form>
  );
}
