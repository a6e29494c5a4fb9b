import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { z } from 'zod';
import type { Ctx } from '../context';
import { flag } from '../../catalog/flag';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { text } from '../../platform/http/fields';
import { fields, pickFields, pickRecordFields } from '../../platform/http/reply-fields';
import { isRecord } from '../../platform/parameters';
import { mapPage } from '../../platform/query-builder/page';
import { CheckoutUpdate } from '../order-input/checkout.schema';
import { CouponInput, CouponResultJson } from '../promotions/coupons.schema';
import { applyCouponCode, removeCouponCode, withdrawCouponCode } from '../promotions/coupons.service';
import { createOrder } from './create-order.service';
import { associateOrder } from './associate-order.service';
import { getAuthorizedOrder } from '../order/order-access';
import { approveOrder, cancelOrder, emptyOrder, resumeOrder } from './order-events.service';
import type { OrderGraph } from '../order/order-graph';
import { deriveOrderToken } from '../order/order-token';
import { limitCouponCodes } from '../order-input/coupon-limit';
import { requestOrderLink } from './order-lookup.service';
import { OrderCreate } from './order-input.schema';
import { retaxOrder } from './retax-order.service';
import { RetaxingJson } from './retax-order.schema';
import { loadOrderView, loadOrderViews, buildOrderSummary } from '../order-replies/order-view';
import { OrderDetailJson, OrderJson } from '../order-replies/orders.schema';
import { orderSearch, ownOrderSearch } from '../order/orders.search';
import { serializeOrder, serializeOrderDetail } from '../order-replies/orders.serializer';
import { changeOrder, getCurrentOrder, getOrder, listOrders, listOwnOrders } from './orders.service';

const NumberParams = z.object({ number: PathName });
const CouponParams = z.object({ number: PathName, code: PathName });

async function loadOrderDetail(ctx: Ctx, order: OrderGraph): Promise<OrderDetailJson> {
  return serializeOrderDetail(await loadOrderView(ctx, order));
}

export function ordersRouter(): ApiRouter<Ctx> {
  const router = createApiRouter<Ctx>('Orders', 'orders');
  addLists(router);
  addLookup(router);
  addRecord(router);
  addEvents(router);
  addCoupons(router);
  return router;
}

function addLists(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /orders', {
    access: 'admin',
    summary: 'List orders, without nested records',
    description:
      'Filter and sort with `q`, for example `q[state_eq]=complete`. Each order lacks its nested records; get one order for them.',
    query: z.object({
      fields,
      search: text({ max: 100 }).optional.meta({
        description:
          'Finds orders by number, e-mail address, name or company, phone, zip code, SKU, tracking number, or number of a shipment, invoice or credit note. The first matching kind comes first, then the newest, unless `q[s]` sorts. Numbers and e-mail addresses match in part, from three characters; names and zip codes by their start, phones by their last digits, the others whole. Each kind finds its 1,000 newest orders.',
        examples: ['R123456789'],
      }),
      carts: flag(
        'With `cursor` or `updated_since`, adds open orders, which makes large pages slower; defaults to false. Lists by page have them always.',
      ),
    }),
    search: orderSearch,
    feed: true,
    private: true,
    paged: { key: 'orders', item: OrderJson },
    handle: async (ctx, { list, query }) => {
      const page = await listOrders(ctx, list, { carts: query.carts === true, text: query.search });
      return pickFields(
        mapPage(page, (order) => serializeOrder(buildOrderSummary(ctx, order))),
        query.fields,
      );
    },
  });
  endpoint(router, 'get /orders/mine', {
    access: 'signed_in',
    summary: "List the caller's own orders",
    description: 'In every state. Complete orders come first, newest first.',
    query: z.object({ fields }),
    search: ownOrderSearch,
    private: true,
    paged: { key: 'orders', item: OrderDetailJson },
    handle: async (ctx, { list, query }) => {
      const page = await listOwnOrders(ctx, list);
      const rows = (await loadOrderViews(ctx, page.rows)).map(serializeOrderDetail);
      return pickFields({ ...page, rows }, query.fields);
    },
  });
  endpoint(router, 'get /orders/current', {
    access: 'signed_in',
    summary: "Get the caller's newest open order",
    description: 'Returns 204 if there is none.',
    private: true,
    reply: OrderDetailJson,
    mayBeEmpty: true,
    handle: async (ctx) => {
      const order = await getCurrentOrder(ctx);
      return order === null ? undefined : loadOrderDetail(ctx, order);
    },
  });
}

function addLookup(router: ApiRouter<Ctx>): void {
  endpoint(router, 'post /orders/lookup', {
    access: 'anyone',
    summary: 'Mail the link of an order to its customer',
    description:
      'For guests who know the number and the e-mail address of a complete order. Always returns 202, whether or not there is such an order. The link is `order_url` of the store with the number and the order token. Too many requests for one e-mail address or from one network address return 429.',
    input: z.object({
      number: text().required.describe('The number of the order.'),
      email: text({ max: 1000 }).required.describe('The e-mail address of the order.'),
    }),
    status: 202,
    private: true,
    ignoresIdempotencyKey: true,
    reply: z.object({}),
    handle: async (ctx, { input }) => {
      await requestOrderLink(ctx, input);
      return {};
    },
  });
}

function addRecord(router: ApiRouter<Ctx>): void {
  endpoint(router, 'post /orders', {
    access: 'anyone',
    summary: 'Create an order',
    description:
      'For guests and customers. Without a body it creates an empty cart. With `completed_at`, an admin records an order that was sold elsewhere, with its payments, shipments and adjustments; it is complete immediately, and what cannot be stored is refused. Shipments with `shipped_at` leave stock alone, what has not shipped takes stock, and no current taxes or promotions apply. A payment method, shipping method or stock location that does not exist is reported under its key.',
    input: OrderCreate,
    // An import stores all that is sent.
    isStrict: ({ order }, isAdmin) => isAdmin && isRecord(order) && order['completed_at'] != null,
    status: 201,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { input }) => {
      const order = await createOrder(ctx, input.order);
      // The response to the creator includes the order token, which gives access to the order.
      return loadOrderDetail({ ...ctx, orderToken: deriveOrderToken(ctx.secret, order.token_seed) }, order);
    },
  });
  endpoint(router, 'get /orders/:number', {
    access: 'order',
    summary: 'Get an order with all nested records',
    description:
      'The line items, addresses, shipments with their rates, payments and adjustments; in the steps `payment` and `confirm` also the payment methods.',
    params: NumberParams,
    query: z.object({ fields }),
    reply: OrderDetailJson,
    private: true,
    // The reply shows the stock of its variants, which each sale changes.
    version: ({ updated_at }) => updated_at,
    handle: async (ctx, { params, query }) => {
      const view = await loadOrderView(ctx, await getOrder(ctx, params.number), { units: true });
      return pickRecordFields(serializeOrderDetail(view), query.fields);
    },
  });
  endpoint(router, 'put /orders/:number', {
    access: 'order',
    summary: 'Update an order',
    description:
      'Works in every state and takes no step of the checkout. Changed line items restart the checkout of an open order, and move stock of a complete order.',
    params: NumberParams,
    input: CheckoutUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params: { number }, input }) =>
      loadOrderDetail(
        ctx,
        await limitCouponCodes(ctx, { number, code: input.order.coupon_code }, () =>
          changeOrder(ctx, number, input),
        ),
      ),
  });
}

function addEvents(router: ApiRouter<Ctx>): void {
  endpoint(router, 'put /orders/:number/empty', {
    access: 'order',
    summary: 'Empty an order',
    description:
      'A complete order stays complete and is restocked. Not possible after something has shipped.',
    params: NumberParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => emptyOrder(ctx, params.number),
  });
  endpoint(router, 'put /orders/:number/associate', {
    access: 'order',
    summary: "Make a guest's order the order of the signed-in customer",
    description:
      "Needs both the customer's API token and the order token; not for members of staff. A cart gets the customer's e-mail address and the lines of their newest older cart, line by line; lines that cannot be added stay in the older cart. A complete order keeps its e-mail address. The order gets a new `token`; the former one ends. Orders of other customers return 401.",
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) => loadOrderDetail(ctx, await associateOrder(ctx, params.number)),
  });
  endpoint(router, 'put /orders/:number/cancel', {
    access: 'order',
    summary: 'Cancel a complete order',
    description: 'Possible until something has shipped. The order is restocked, and its payments are voided.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) => loadOrderDetail(ctx, await cancelOrder(ctx, params.number)),
  });
  endpoint(router, 'put /orders/:number/resume', {
    access: 'admin',
    summary: 'Resume a canceled order',
    description:
      'Unstocks its units again at the locations of its shipments. If units are missing, it is refused (422), and `errors.line_items` lists them. Payments that were voided or credited stay so. Shipments that were canceled by themselves stay canceled.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) => loadOrderDetail(ctx, await resumeOrder(ctx, params.number)),
  });
  endpoint(router, 'put /orders/:number/retax', {
    access: 'admin',
    summary: 'Recalculate the taxes of a complete order',
    description:
      'Taxes the line items and the freight that has not shipped by the present address and at current rates, for example after the order got another ship address. Discounts stay. The reply is the order, with `dry_run` the amounts before and after. Refused (422) for canceled orders and after units were returned.',
    params: NumberParams,
    query: z.object({ dry_run: flag('Changes nothing and returns what would change. Defaults to false.') }),
    reply: z.union([RetaxingJson, OrderDetailJson]),
    private: true,
    handle: async (ctx, { params, query }) => {
      const { order, retaxing } = await retaxOrder(ctx, params.number, { isDryRun: query.dry_run === true });
      return query.dry_run === true ? retaxing : loadOrderDetail(ctx, order);
    },
  });
  endpoint(router, 'put /orders/:number/approve', {
    access: 'admin',
    summary: 'Approve a complete order',
    description: 'The order is no longer considered risky.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) => loadOrderDetail(ctx, await approveOrder(ctx, params.number)),
  });
}

function addCoupons(router: ApiRouter<Ctx>): void {
  endpoint(router, 'put /orders/:number/apply_coupon_code', {
    access: 'order',
    summary: 'Apply a coupon code',
    description:
      'The reply says in `status_code` whether it was applied. Applied codes stay on an order that does not qualify any more, without a discount.',
    params: NumberParams,
    input: CouponInput,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: CouponResultJson,
    refusal: CouponResultJson,
    private: true,
    handle: (ctx, { params: { number }, input: { coupon_code: code } }) =>
      limitCouponCodes(ctx, { number, code }, () => applyCouponCode(ctx, number, code)),
  });
  endpoint(router, 'put /orders/:number/remove_coupon_code', {
    access: 'order',
    summary: 'Remove a coupon code from an open order, with a message',
    description: 'The reply says in `status_code` whether it was removed.',
    params: NumberParams,
    input: CouponInput,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: CouponResultJson,
    refusal: CouponResultJson,
    private: true,
    handle: (ctx, { params, input }) => withdrawCouponCode(ctx, params.number, input.coupon_code),
  });
  endpoint(router, 'delete /orders/:number/coupon_codes/:code', {
    access: 'order',
    summary: 'Remove a coupon code from an open order',
    description: 'Case-insensitive. Returns 404 if the code is not applied.',
    params: CouponParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeCouponCode(ctx, params.number, params.code),
  });
}
