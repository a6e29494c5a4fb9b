import { buildMarylandAddress, buildPaymentBody } from './orders.factory';

/** A guest who checks out at a store of another process. */
export interface ProgramShopper {
  /** Buys one unit. @returns the number of the completed order */
  buy(variantId: number): Promise<string>;
}

interface Reply {
  status: number;
  body: any;
}

/** The status of a request that got no reply. */
const NO_REPLY = 0;

/** A connection that was handed to a worker at its death is neither answered nor closed. */
const TIME_LIMIT_MS = 5_000;

/**
 * Creates a guest. `send` decides where each request goes, so that requests can move to another instance. Requests
 * without a reply and those with 409 or 503 are repeated, as clients do; all steps may be repeated.
 */
export async function createShopper(chooseUrl: () => string): Promise<ProgramShopper> {
  const address = await buildMarylandAddress();
  const payment = await buildPaymentBody();

  const send = async (method: string, path: string, body: object, token?: string): Promise<Reply> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token !== undefined && { 'X-Order-Token': token }),
    };
    try {
      const reply = await fetch(`${chooseUrl()}/api/v1${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      return { status: reply.status, body: await reply.json() };
    } catch {
      return { status: NO_REPLY, body: {} };
    }
  };

  const sendUntilAnswered = async (
    method: string,
    path: string,
    body: object,
    token?: string,
  ): Promise<Reply> => {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await send(method, path, body, token);
      if (![NO_REPLY, 409, 503].includes(reply.status) || attempt === 100) return reply;
    }
  };

  return {
    buy: async (variantId) => {
      const opened = await sendUntilAnswered('POST', '/orders', {
        order: { line_items: [{ variant_id: variantId, quantity: 1 }] },
      });
      expect(opened.status).toBe(201);
      const { number, token } = opened.body;
      const addresses = { bill_address_attributes: address, ship_address_attributes: address };
      const steps: Record<string, object> = {
        cart: {},
        address: { order: { email: `${number}@example.com`, ...addresses } },
        delivery: {},
        payment,
        confirm: {},
      };
      // A step whose reply was lost may have been taken, so each one starts from the current state.
      for (let taken = 0; taken < 20; taken += 1) {
        const order: any = await (
          await fetch(`${chooseUrl()}/api/v1/orders/${number}`, {
            headers: { 'X-Order-Token': token },
            signal: AbortSignal.timeout(TIME_LIMIT_MS),
          }).catch(() => null)
        )?.json();
        const state: string | undefined = order?.state;
        if (state === 'complete') return number;
        if (state === undefined) taken -= 0.9;
        if (state === undefined || !(state in steps)) continue;
        const reply = await send('PUT', `/checkouts/${number}`, steps[state] ?? {}, token);
        if (reply.status === NO_REPLY || reply.status === 409 || reply.status === 503) taken -= 0.9;
        else expect({ state, status: reply.status, body: reply.body }).toMatchObject({ status: 200 });
      }
      throw new Error(`order ${number} was not completed`);
    },
  };
}
