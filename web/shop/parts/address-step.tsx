import { useQuery } from '@tanstack/preact-query';
import type { Order } from 'store-api-client';
import { useDraft } from '../../shared/draft';
import { ChoiceField, Field } from '../../shared/field';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { emptyAddress, toAttributes, toForm, type AddressForm } from '../address';
import { useStep, type StepProps } from '../checkout-step';
import { ownAddressesQuery, settingsQuery } from '../queries';
import { keptSignIn, useShop } from '../shop';
import { AddressFields } from './address-fields';
import { StepEnd } from './step-end';

/** Returns the messages of one address, without its name. */
function messagesOf(fields: Readonly<Record<string, string>>, address: 'bill_address' | 'ship_address') {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(`${address}.`))
      .map(([name, text]) => [name.slice(address.length + 1), text]),
  );
}

const isSame = (one: AddressForm, other: AddressForm): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the bill address; null if there is none or it equals the ship address. */
function findOwnBillAddress({ bill_address, ship_address }: Order): AddressForm | null {
  if (bill_address == null || ship_address == null) return null;
  const bill = toForm(bill_address);
  return isSame(bill, toForm(ship_address)) ? null : bill;
}

/** What the form holds. */
interface Addresses {
  email: string;
  /** Null until it is entered: the preselected address of the account. */
  ship: AddressForm | null;
  /** Null if the invoice goes to the ship address. */
  bill: AddressForm | null;
}

/** Reads the e-mail address and the addresses of the order. */
export function AddressStep(props: StepProps) {
  const { order } = props;
  const shop = useShop();
  const { data: settings } = useQuery(settingsQuery(shop));
  const signIn = keptSignIn.use();
  const { data: saved = [] } = useQuery(ownAddressesQuery(shop, signIn !== null));
  const country = settings?.default_country_id ?? 0;
  const draft = useDraft(`addresses of ${order.number}`, (): Addresses => ({
    email: order.email ?? '',
    ship: order.ship_address == null ? null : toForm(order.ship_address),
    bill: findOwnBillAddress(order),
  }));
  const { email, ship, bill } = draft.value;
  const setShip = (address: AddressForm): void => draft.change({ ship: address });
  const setBill = (address: AddressForm | null): void => draft.change({ bill: address });
  const step = useStep({
    ...props,
    onChange: (changed) => {
      draft.clear();
      props.onChange(changed);
    },
  });
  const { fields } = step.error === null ? NO_MESSAGES : readMessages(step.error);
  const preselected =
    saved.find((address) => address.default_ship) ?? (saved.length === 1 ? saved[0] : undefined);
  const shipTo = ship ?? (preselected === undefined ? emptyAddress(country) : toForm(preselected));
  const errors = messagesOf(fields, 'ship_address');
  const billErrors = messagesOf(fields, 'bill_address');
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        step.send({
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
          error={fields['email']}
          onText={(text) => draft.change({ email: text })}
        />
      )}
      <fieldset>
        <legend>Ship to</legend>
        {saved.length > 0 && (
          <ChoiceField
            label="Saved address"
            value={String(saved.find((address) => isSame(toForm(address), shipTo))?.id ?? '')}
            onChoose={(id) => {
              const address = saved.find((one) => String(one.id) === id);
              setShip(address === undefined ? emptyAddress(country) : toForm(address));
            }}
          >
            <option value="">Another address</option>
            {saved.map(({ id, full_name, address1, city }) => (
              <option key={id} value={String(id)}>
                {[full_name, address1, city].join(', ')}
              </option>
            ))}
          </ChoiceField>
        )}
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
      <StepEnd order={order} step={step} name="Continue to delivery" hasFields />
    </form>
  );
}
