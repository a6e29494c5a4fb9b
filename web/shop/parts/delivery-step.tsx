import { useState } from 'preact/hooks';
import { useStep, type StepProps } from '../checkout-step';
import { rateName } from '../words';
import { ParcelItems } from './parcel-items';
import { StepEnd } from './step-end';

/** Lets the buyer choose how each parcel is shipped. */
export function DeliveryStep(props: StepProps) {
  const shipments = props.order.shipments ?? [];
  const [chosen, setChosen] = useState<Readonly<Record<number, number>>>({});
  const step = useStep(props);
  const rateOf = (shipment: (typeof shipments)[number]): number | undefined =>
    chosen[shipment.id] ?? shipment.selected_shipping_rate?.id;
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        step.send({
          order: {
            shipments_attributes: shipments.flatMap((shipment) => {
              const rate = rateOf(shipment);
              return rate === undefined ? [] : [{ id: shipment.id, selected_shipping_rate_id: rate }];
            }),
          },
        });
      }}
    >
      {shipments.map((shipment, index) => (
        <fieldset key={shipment.id}>
          <legend>{shipments.length > 1 ? `Parcel ${index + 1} of ${shipments.length}` : 'Delivery'}</legend>
          <ParcelItems order={props.order} parcel={shipment} />
          {(shipment.shipping_rates ?? []).map(({ id, name, display_cost }) => (
            <label key={id} class="option">
              <input
                type="radio"
                name={`rate-${shipment.id}`}
                checked={rateOf(shipment) === id}
                onChange={() => setChosen({ ...chosen, [shipment.id]: id })}
              />
              <span>{rateName(name, props.order.currency)}</span>
              <span class="option-amount">{display_cost}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <StepEnd
        order={props.order}
        step={step}
        name={props.order.checkout_steps.includes('payment') ? 'Continue to payment' : 'Buy now'}
      />
    </form>
  );
}
