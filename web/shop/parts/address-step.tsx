import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { emptyAddress, toAttributes, toForm, type AddressForm } from '../address';
import { useStep, type StepProps } from '../checkout-step';
import { settingsQuery } from '../queries';
import { keptSignIn, useShop } from '../shop';
import { AddressFields } from './address-fields';
import { Field } from '../../shared/field';

/** Returns the messages of one address, without its name. */
function messagesOf(fields: Readonly<Record<string, string>>, address: 'bill_address' | 'ship_address') {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(`${address}.`))
      .map(([name, text]) => [name.slice(address.length + 1), text]),
  );
}

/** Asks for the e-mail address and where to ship. */
export function AddressStep(props: StepProps) {
  const { order } = props;
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const signIn = keptSignIn.use();
  const country = settings?.default_country_id ?? 0;
  const [email, setEmail] = useState(order.email ?? '');
  const [ship, setShip] = useState<AddressForm | null>(
    order.ship_address == null ? null : toForm(order.ship_address),
  );
  const [bill, setBill] = useState<AddressForm | null>(null);
  const { send, isPending, isError, messages } = useStep(props);
  const shipTo = ship ?? emptyAddress(country);
  const errors = messagesOf(messages.fields, 'ship_address');
  const billErrors = messagesOf(messages.fields, 'bill_address');
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        send({
          order: {
            ...(signIn === null && { email: email.trim() }),
            ship_address: toAttributes(shipTo),
            bill_address: toAttributes(bill ?? shipTo),
          },
        });
      }}
    >
      {signIn === null && (
        <Field
          label="E-mail"
          type="email"
          required
          autocomplete="email"
          maxLength={254}
          value={email}
          error={messages.fields['email']}
          onText={setEmail}
        />
      )}
      <fieldset>
        <legend>Ship to</legend>
        <AddressFields kind="shipping" value={shipTo} errors={errors} onChange={setShip} />
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={bill === null}
          onChange={(event) => setBill(event.currentTarget.checked ? null : emptyAddress(shipTo.countryId))}
        />
        The invoice goes to the same address
      </label>
      {bill !== null && (
        <fieldset>
          <legend>Bill to</legend>
          <AddressFields kind="billing" value={bill} errors={billErrors} onChange={setBill} />
        </fieldset>
      )}
      {isError && (
        <p class="notice notice-bad" role="alert">
          {messages.summary}
        </p>
      )}
      <button class="button wide" disabled={isPending}>
        {isPending ? 'Saving…' : 'Continue to delivery'}
      </button>
    </form>
  );
}
