import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { z } from 'zod';
import type { Ctx } from '../context';
import { endpoint } from '../../platform/http/endpoint';
import { PathName } from '../../platform/http/path-parameters';
import { mapPage } from '../../platform/query-builder/page';
import { CheckoutUpdate } from '../order-input/checkout.schema';
import { CouponInput, CouponResultJson } from '../promotions/coupons.schema';
import { applyCouponCode, removeCouponCode, withdrawCouponCode } from '../promotions/coupons.service';
import { createOrder } from './create-order.service';
import { getAuthorizedOrder } from '../order/order-access';
import { approveOrder, cancelOrder, emptyOrder } from './order-events.service';
import type { OrderGraph } from '../order/order-graph';
import { OrderCreate } from './order-input.schema';
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
  const router = createApiRouter<Ctx>('Orders');
  addLists(router);
  addRecord(router);
  addEvents(router);
  addCoupons(router);
  return router;
}

function addLists(router: ApiRouter<Ctx>): void {
  endpoint(router, 'get /orders', {
    access: 'admin',
    summary: 'Orders, without their parts',
    search: orderSearch,
    private: true,
    paged: { key: 'orders', item: OrderJson },
    handle: async (ctx, { list }) =>
      mapPage(await listOrders(ctx, list), (order) => serializeOrder(buildOrderSummary(ctx, order))),
  });
  endpoint(router, 'get /orders/mine', {
    access: 'signed_in',
    summary: "The caller's own orders",
    description: 'In every state; completed ones first, the newest before the others.',
    search: ownOrderSearch,
    private: true,
    paged: { key: 'orders', item: OrderDetailJson },
    handle: async (ctx, { list }) => {
      const page = await listOwnOrders(ctx, list);
      return { ...page, rows: (await loadOrderViews(ctx, page.rows)).map(serializeOrderDetail) };
    },
  });
  endpoint(router, 'get /orders/current', {
    access: 'signed_in',
    summary: "The caller's newest open order",
    description: '204 when there is none.',
    private: true,
    reply: OrderDetailJson,
    mayBeEmpty: true,
    handle: async (ctx) => {
      const order = await getCurrentOrder(ctx);
      return order === null ? undefined : loadOrderDetail(ctx, order);
    },
  });
}

function addRecord(router: ApiRouter<Ctx>): void {
  endpoint(router, 'post /orders', {
    access: 'anyone',
    summary: 'Open an order',
    description:
      'Guests and customers alike; without a body it is an empty cart. With `completed_at` an admin records what was sold elsewhere: it is complete at once.',
    input: OrderCreate,
    status: 201,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { input }) => {
      const order = await createOrder(ctx, input.order);
      // Whoever opens an order is given its token, and so may go on with it.
      return loadOrderDetail({ ...ctx, orderToken: buildOrderSummary(ctx, order).token }, order);
    },
  });
  endpoint(router, 'get /orders/:number', {
    access: 'order',
    summary: 'One order with all its parts',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) =>
      serializeOrderDetail(await loadOrderView(ctx, await getOrder(ctx, params.number), { units: true })),
  });
  endpoint(router, 'put /orders/:number', {
    access: 'order',
    summary: 'Change an order',
    description:
      'Takes no step of the checkout, in whatever state the order is. Changed lines of an order in checkout begin it again; those of a completed order move stock.',
    params: NumberParams,
    input: CheckoutUpdate,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params, input }) => loadOrderDetail(ctx, await changeOrder(ctx, params.number, input)),
  });
}

function addEvents(router: ApiRouter<Ctx>): void {
  endpoint(router, 'put /orders/:number/empty', {
    access: 'order',
    summary: 'Take everything out of an order',
    description: 'A complete order stays complete, and its goods go back, unless some have shipped.',
    params: NumberParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => emptyOrder(ctx, params.number),
  });
  endpoint(router, 'put /orders/:number/cancel', {
    access: 'order',
    summary: 'Cancel a complete order',
    description: 'Possible until something ships. The goods go back, and its payments are voided.',
    params: NumberParams,
    reply: OrderDetailJson,
    private: true,
    handle: async (ctx, { params }) => loadOrderDetail(ctx, await cancelOrder(ctx, params.number)),
  });
  endpoint(router, 'put /orders/:number/approve', {
    access: 'admin',
    summary: 'Approve a complete order',
    description: 'It is not considered risky any more.',
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
    params: NumberParams,
    input: CouponInput,
    subject: (ctx, { number }) => getAuthorizedOrder(ctx, number),
    reply: CouponResultJson,
    refusal: CouponResultJson,
    private: true,
    handle: (ctx, { params, input }) => applyCouponCode(ctx, params.number, input.coupon_code),
  });
  endpoint(router, 'put /orders/:number/remove_coupon_code', {
    access: 'order',
    summary: 'Take a coupon code off an open order, and be told in words',
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
    summary: 'Take a coupon code off an open order',
    description: 'In any letter case; 404 when it was not applied.',
    params: CouponParams,
    status: 204,
    private: true,
    handle: (ctx, { params }) => removeCouponCode(ctx, params.number, params.code),
  });
}
