import type { Ctx } from '../../../src/sales/context';
import { GUEST } from '../../../src/access/actor';
import { CheckoutUpdate } from '../../../src/sales/order-input/checkout.schema';
import { advanceOrder, nextStep, updateCheckout } from '../../../src/sales/checkout/checkout.service';
import { createOrder } from '../../../src/sales/orders/create-order.service';
import type { OrderGraph } from '../../../src/sales/order/order-graph';
import { OrderCreate } from '../../../src/sales/orders/order-input.schema';
import { emailOf, type Person } from './people';
import { setNumbers } from './set-numbers';
import type { Ending, Story } from './stories';
import { acting, ctxOf, endChapter, timeOf, type Cast, type Telling } from './telling';
import { afterwards } from './what-staff-does';

const ACCEPTED = '4111111111111111';
const DECLINED = '4000000000000002';

/** How many steps an order takes that is left in checkout. */
const STEPS: Partial<Record<Ending, number>> = { cart: 0, address: 1, delivery: 2, payment: 3, confirm: 4 };

/**
 * Makes the order of a story through the services that the API has, each chapter at its time in the past.
 * @throws DomainError where the store is not as the story expects it; the order stays as far as it came
 */
export async function tellStory(cast: Cast, story: Story): Promise<void> {
  const order = await openOrder(cast, story);
  const telling = { ...cast, story, order };
  const steps = STEPS[story.ending];
  if (steps === undefined) await buy(telling);
  else await stopAfter(telling, steps);
  await endChapter(telling, 0);
  if (steps === undefined) await afterwards(telling);
  await setNumbers(cast.deps.db, order.id);
}

/** Staff opens it, since only they may name its number. */
async function openOrder(cast: Cast, story: Story): Promise<OrderGraph> {
  const { deps, today, staff, customers } = cast;
  const { buyer, number, lines } = story;
  const address = addressOf(buyer);
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
  return createOrder(acting(deps, staff, timeOf(today, story, 0)), input.order);
}

function addressOf({ country, state, ...person }: Person): object {
  const { firstname, lastname, address1, city, zipcode, phone } = person;
  return {
    ...{ firstname, lastname, address1, city, zipcode, phone },
    country: { iso: country },
    state: { abbr: state },
  };
}

function buyerCtx(telling: Telling): Ctx {
  return ctxOf(telling, telling.customers.get(emailOf(telling.story.buyer)) ?? GUEST, 0);
}

async function stopAfter(telling: Telling, steps: number): Promise<void> {
  const ctx = buyerCtx(telling);
  const isPaid = telling.story.ending === 'confirm';
  if (isPaid) await updateCheckout(ctx, telling.story.number, payment(telling, ACCEPTED));
  for (let step = isPaid ? 1 : 0; step < steps; step++) await nextStep(ctx, telling.story.number);
}

async function buy(telling: Telling): Promise<void> {
  const ctx = buyerCtx(telling);
  const { number, ending } = telling.story;
  const isRisky = ending === 'risky' || ending === 'approved';
  await updateCheckout(ctx, number, payment(telling, isRisky ? DECLINED : ACCEPTED));
  await advanceOrder(ctx, number);
  if (isRisky) await updateCheckout(ctx, number, payment(telling, ACCEPTED));
}

/** The body that pays: by check where the money is still to come, else by this card. */
function payment({ story, methods, today }: Telling, number: string) {
  if (story.ending === 'unpaid') {
    return CheckoutUpdate.parse({ order: { payments_attributes: [{ payment_method_id: methods.check }] } });
  }
  const { firstname, lastname } = story.buyer;
  const card = {
    number,
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
