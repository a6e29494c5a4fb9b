import { startMailServer } from '../test/support/mail-server';
import { startReceiver, type Receiver } from '../test/support/receiver';
import { startStripe, type StripeServer } from '../test/support/stripe-server';

/** A mail that the mail server has taken. */
export interface ReceivedMail {
  /** `Message-ID` without brackets: the name of the mail and its id, at the sender. */
  id: string;
  to: string;
}

/** What the store reaches outside: a payment provider, a mail server and a receiver of webhooks. They survive every kill. */
export interface Outside {
  stripe: StripeServer;
  stripePort: number;
  receiver: Receiver;
  readonly mails: ReceivedMail[];
  mailUrl: string;
  /** How many answers of the provider were lost. */
  lostAnswers: () => number;
  /** Whether answers of the provider get lost. */
  loseAnswers: (isLosing: boolean) => void;
  /** Whether the provider carries out requests, and never answers. */
  silenceProvider: (isSilent: boolean) => void;
  stop: () => Promise<void>;
}

/** Starts what the store reaches outside. @param draw decides which answers of the provider get lost */
export async function startOutside(draw: (limit: number) => number): Promise<Outside> {
  const stripe = await startStripe();
  let isLosing = false;
  let lost = 0;
  // One of 25 answers always gets lost, so that a kill may follow a loss.
  Object.defineProperty(stripe, 'loses', {
    get: () => {
      const isLost = isLosing || draw(25) === 0;
      if (isLost) lost += 1;
      return isLost;
    },
  });
  const receiver = await startReceiver();
  const mails = await startMailServer();
  return {
    stripe,
    stripePort: stripe.port,
    receiver,
    get mails() {
      return mails.received.map(({ to, source }) => {
        const [, id = ''] = /^Message-ID: <([^>]+)>/im.exec(source) ?? [];
        return { id, to };
      });
    },
    mailUrl: mails.url,
    lostAnswers: () => lost,
    loseAnswers: (value) => {
      isLosing = value;
    },
    silenceProvider: (isSilent) => {
      stripe.isSilent = isSilent;
    },
    stop: async () => {
      receiver.close();
      await stripe.close();
      await mails.stop();
    },
  };
}
