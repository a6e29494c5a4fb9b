import type { Ctx } from '../../../src/sales/context';
import { GUEST } from '../../../src/access/actor';
import { CheckoutUpdate } from '../../../src/sales/order-input/checkout.schema';
import { advanceOrder, takeNextStep, updateCheckout } from '../../../src/sales/checkout/checkout.service';
import { createOrder } from '../../../src/sales/orders/create-order.service';
import type { OrderGraph } from '../../../src/sales/order/order-graph';
import { OrderCreate } from '../../../src/sales/orders/order-input.schema';
import { emailOf, type Person } from './people';
import { setNumbers } from './set-numbers';
import type { Ending, Story } from './stories';
import { calculateTime, createActorCtx, createCtx, setStepTimes, type Cast, type Replay } from './replay';
import { replayStaffSteps } from './staff-actions';

const ACCEPTED = '4111111111111111';
const DECLINED = '4000000000000002';

/** The number of checkout steps of orders that stay incomplete. */
const STEPS: Partial<Record<Ending, number>> = { cart: 0, address: 1, delivery: 2, payment: 3, confirm: 4 };

/**
 * Creates the order of a story through the services behind the API, each step at its time in the past.
 * @throws DomainError if the store does not meet the story's assumptions; the order keeps the state it has reached
 */
export async function replayStory(cast: Cast, story: Story): Promise<void> {
  const order = await createStoryOrder(cast, story);
  const replay = { ...cast, story, order };
  const steps = STEPS[story.ending];
  if (steps === undefined) await buy(replay);
  else await checkOutPartly(replay, steps);
  await setStepTimes(replay, 0);
  if (steps === undefined) await replayStaffSteps(replay);
  await setNumbers(cast.deps.db, order.id);
}

/** Creates the order as staff, because only admins may set the number. */
async function createStoryOrder(cast: Cast, story: Story): Promise<OrderGraph> {
  const { deps, today, staff, customers } = cast;
  const { buyer, number, lines } = story;
  const address = buildAddress(buyer);
  const customer = customers.get(emailOf(buyer));
  const input = OrderCreate.parse({
    order: {
      number,
      user_id: customer === undefined || customer.kind === 'guest' ? null : customer.user_id,
      email: emailOf(buyer),
      bill_address_attributes: address,
      ship_address_attributes: address,
      line_items: lines,
    },
  });
  return createOrder(createActorCtx(deps, staff, calculateTime(today, story, 0)), input.order);
}

function buildAddress({ country, state, ...person }: Person): object {
  const { firstname, lastname, address1, city, zipcode, phone } = person;
  return {
    firstname,
    lastname,
    address1,
    city,
    zipcode,
    phone,
    country: { iso: country },
    state: { abbr: state },
  };
}

function createBuyerCtx(replay: Replay): Ctx {
  return createCtx(replay, replay.customers.get(emailOf(replay.story.buyer)) ?? GUEST, 0);
}

async function checkOutPartly(replay: Replay, steps: number): Promise<void> {
  const ctx = createBuyerCtx(replay);
  const isPaid = replay.story.ending === 'confirm';
  if (isPaid) await updateCheckout(ctx, replay.story.number, buildPayment(replay, ACCEPTED));
  for (let step = isPaid ? 1 : 0; step < steps; step++) await takeNextStep(ctx, replay.story.number);
}

async function buy(replay: Replay): Promise<void> {
  const ctx = createBuyerCtx(replay);
  const { number, ending } = replay.story;
  const isRisky = ending === 'risky' || ending === 'approved';
  await updateCheckout(ctx, number, buildPayment(replay, isRisky ? DECLINED : ACCEPTED));
  await advanceOrder(ctx, number);
  if (isRisky) await updateCheckout(ctx, number, buildPayment(replay, ACCEPTED));
}

/** Builds the body with the payment: by check for unpaid orders, else with the card number `number`. */
function buildPayment({ story, methods, today, withCard }: Replay, number: string) {
  if (story.ending === 'unpaid') {
    return CheckoutUpdate.parse({ order: { payments_attributes: [{ payment_method_id: methods.check }] } });
  }
  const { firstname, lastname } = story.buyer;
  const save = number === ACCEPTED && !withCard.has(emailOf(story.buyer));
  if (save) withCard.add(emailOf(story.buyer));
  const card = {
    number,
    cc_type: 'visa',
    save,
    name: `${firstname} ${lastname}`,
    month: '11',
    year: String(today.getFullYear() + 3),
    verification_value: '123',
  };
  return CheckoutUpdate.parse({
    order: { payments_attributes: [{ payment_method_id: methods.card }] },
    payment_source: { [methods.card]: card },
  });
}
