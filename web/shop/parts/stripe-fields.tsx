import type { Appearance, StripeElements } from '@stripe/stripe-js';
import type { MutableRef } from 'preact/hooks';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CardInput, Order } from 'store-api-client';
import { toUnits } from '../../shared/money';
import { openStripe } from '../stripe';
import { Failure, Loading } from './loading';

/** Reads the card that the buyer has entered. Throws an error with a text for the buyer if there is none. */
export type ReadCard = () => Promise<CardInput>;

interface StripeFieldsProps {
  publishableKey: string;
  order: Order;
  /** Whether the card will be kept for later orders. */
  isKept: boolean;
  reader: MutableRef<ReadCard | null>;
}

/** The Payment Element of Stripe, in which the buyer enters the card; it never passes through this page or the store. */
export function StripeFields({ publishableKey, order, isKept, reader }: StripeFieldsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const shown = useRef<StripeElements | null>(null);
  useEffect(() => {
    let isGone = false;
    let unmount = (): void => undefined;
    const show = async (): Promise<void> => {
      const stripe = await openStripe(publishableKey);
      if (isGone || box.current === null) return;
      const elements = stripe.elements({
        mode: 'payment',
        paymentMethodCreation: 'manual',
        appearance: readAppearance(),
        // Wallets of the browser show it; the store charges the total of the order.
        amount: toUnits(order.total, order.currency),
        currency: order.currency.toLowerCase(),
        setupFutureUsage: isKept ? 'on_session' : null,
      });
      shown.current = elements;
      const element = elements.create('payment');
      element.on('ready', () => setState('ready'));
      element.on('loaderror', () => setState('failed'));
      element.mount(box.current);
      unmount = () => element.destroy();
      reader.current = async () => {
        const { error: incomplete } = await elements.submit();
        if (incomplete !== undefined) throw new Error(incomplete.message);
        const { error, paymentMethod } = await stripe.createPaymentMethod({ elements });
        if (error !== undefined) throw new Error(error.message);
        const { id, card } = paymentMethod;
        return {
          gateway_payment_profile_id: id,
          ...(card !== undefined && {
            cc_type: card.brand,
            last_digits: card.last4,
            month: String(card.exp_month),
            year: String(card.exp_year),
          }),
        };
      };
    };
    setState('loading');
    show().catch(() => setState('failed'));
    return () => {
      isGone = true;
      reader.current = null;
      shown.current = null;
      unmount();
    };
  }, [publishableKey, order.total, order.currency, attempt]);
  useEffect(() => {
    void shown.current?.update({ setupFutureUsage: isKept ? 'on_session' : null });
  }, [isKept]);
  return (
    <>
      {state === 'loading' && <Loading />}
      {state === 'failed' && (
        <Failure retry={() => setAttempt(attempt + 1)} text="The payment form cannot be loaded." />
      )}
      <div ref={box} hidden={state === 'failed'} />
    </>
  );
}

/** Returns the colors of the shop as they are now, light or dark. */
function readAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    variables: {
      colorPrimary: color('accent'),
      colorText: color('ink'),
      colorTextSecondary: color('quiet'),
      colorBackground: color('surface'),
      colorDanger: color('bad'),
      borderRadius: color('radius'),
    },
  };
}
