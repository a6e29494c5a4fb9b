import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderStateMachines } from '../../../scripts/docs-state-machines';
import { isRefused } from '../../../src/platform/state-machine';
import {
  inventoryUnitMachine,
  type InventoryUnitEvent,
} from '../../../src/sales/order/inventory-unit.machine';
import {
  orderReturnsMachine,
  type OrderReturnEvent,
  type OrderReturnFacts,
} from '../../../src/sales/order/order-returns.machine';
import {
  isCompleteState,
  INCOMPLETE_STATES,
  orderMachine,
  type OrderEvent,
  type OrderFacts,
  type OrderState,
} from '../../../src/sales/order/order.machine';
import { returnAuthorizationMachine } from '../../../src/sales/order/return-authorization.machine';
import { findStepBackEvent, restartMachine } from '../../../src/sales/order/restart.machine';
import {
  calculateShipmentState,
  shipmentMachine,
  type ShipmentFacts,
  type ShipmentState,
} from '../../../src/sales/order/shipment.machine';

describe('order', () => {
  const sold: OrderFacts = {
    shipment_state: 'ready',
    has_shipped_units: false,
    is_approved: false,
  };
  const decide = (state: OrderState, event: OrderEvent, facts: Partial<OrderFacts> = {}) =>
    orderMachine.decide(state, event, { ...sold, ...facts });

  test('emptying an open order returns it to cart; a complete order keeps its state and is restocked', () => {
    expect(decide('payment', 'empty')).toMatchObject({ to: 'cart' });
    expect(decide('payment', 'empty')).toMatchObject({ after: [], calls: 'void_authorizations' });
    expect(decide('complete', 'empty')).toMatchObject({
      to: 'complete',
      prepare: expect.arrayContaining(['delete_line_items']),
      after: ['restock_units'],
      calls: 'void_authorizations',
      refusedTo: 'complete',
    });
  });

  test('orders with shipped units and canceled orders cannot be emptied', () => {
    expect(decide('complete', 'empty', { has_shipped_units: true })).toMatchObject({
      refused: { base: expect.anything() },
    });
    expect(decide('canceled', 'empty')).toMatchObject({ refused: { base: ['The order is canceled'] } });
  });

  test.each([[null], ['pending'], ['ready'], ['backorder']])(
    'shipment_state %s can be canceled',
    (shipment_state) => {
      expect(decide('complete', 'cancel', { shipment_state })).toMatchObject({
        to: 'canceled',
        prepare: ['stamp_cancellation'],
        after: ['restock_units'],
        calls: 'cancel_payments',
      });
    },
  );

  test.each<[OrderState, string | null]>([
    ['complete', 'shipped'],
    ['complete', 'partial'],
    ['canceled', 'canceled'],
    ['cart', null],
    ['confirm', null],
    ['awaiting_return', 'shipped'],
  ])('%s with shipment_state %s cannot', (state, shipment_state) => {
    expect(decide(state, 'cancel', { shipment_state })).toMatchObject({
      refused: { state: ['cannot transition via "cancel"'] },
    });
  });

  test('an order with a single shipped unit cannot be canceled', () => {
    expect(decide('complete', 'cancel', { has_shipped_units: true })).toMatchObject({
      refused: { state: ['cannot transition via "cancel"'] },
    });
  });

  test('approving twice changes nothing; open orders cannot be approved', () => {
    expect(decide('complete', 'approve')).toMatchObject({ then: ['stamp_approval'] });
    expect(decide('complete', 'approve', { is_approved: true })).toMatchObject({ isNoOp: true });
    expect(isRefused(decide('cart', 'approve'))).toBe(true);
    expect(isRefused(decide('canceled', 'approve'))).toBe(true);
  });

  test('only a cart can be imported', () => {
    expect(decide('cart', 'import')).toMatchObject({ to: 'complete', then: ['stamp_completion'] });
    expect(isRefused(decide('confirm', 'import'))).toBe(true);
    expect(isRefused(decide('complete', 'import'))).toBe(true);
  });

  test('a resumed order counts as complete, a canceled one does not', () => {
    expect(isCompleteState('resumed') && isCompleteState('returned')).toBe(true);
    expect(isCompleteState('canceled') || isCompleteState('confirm')).toBe(false);
  });
});

test('returns lead to awaiting_return, to returned when every unit is returned, to complete when canceled', () => {
  const decide = (state: OrderState, event: OrderReturnEvent, facts: Partial<OrderReturnFacts> = {}) =>
    orderReturnsMachine.decide(state, event, {
      every_unit_is_returned: false,
      another_return_has_units: false,
      ...facts,
    });
  expect(decide('complete', 'authorize_return')).toMatchObject({ to: 'awaiting_return' });
  expect(decide('returned', 'authorize_return')).toMatchObject({ to: 'awaiting_return' });
  expect(decide('awaiting_return', 'receive_return')).toMatchObject({ to: 'complete' });
  expect(decide('awaiting_return', 'receive_return', { another_return_has_units: true })).toMatchObject({
    to: 'awaiting_return',
  });
  expect(decide('awaiting_return', 'receive_return', { every_unit_is_returned: true })).toMatchObject({
    to: 'returned',
  });
  expect(decide('awaiting_return', 'cancel_return')).toMatchObject({ to: 'complete' });
  expect(decide('awaiting_return', 'cancel_return', { another_return_has_units: true })).toMatchObject({
    isNoOp: true,
  });
});

describe('checkout restart', () => {
  const proposed = { has_shipments: true, has_line_items: true };

  test('an order with shipments returns to address, without line items to cart; shipments are deleted', () => {
    for (const state of INCOMPLETE_STATES) {
      expect(restartMachine.decide(state, 'restart', proposed)).toMatchObject({
        to: 'address',
        then: ['delete_shipments'],
      });
      expect(restartMachine.decide(state, 'restart', { ...proposed, has_line_items: false })).toMatchObject({
        to: 'cart',
        then: ['delete_shipments'],
      });
    }
  });

  test('nothing changes without shipments or after completion', () => {
    const without = { ...proposed, has_shipments: false };
    expect(restartMachine.decide('delivery', 'restart', without)).toMatchObject({ isNoOp: true });
    for (const state of ['complete', 'canceled', 'awaiting_return', 'returned', 'resumed'] as const) {
      expect(restartMachine.decide(state, 'restart', proposed)).toMatchObject({ isNoOp: true });
    }
  });

  test('only earlier steps are accepted', () => {
    const leadsTo = (state: OrderState, step: unknown) => {
      const event = findStepBackEvent(step);
      const decision = event === null ? null : restartMachine.decide(state, event, proposed);
      return decision === null || isRefused(decision) ? null : decision.to;
    };
    expect(leadsTo('payment', 'address')).toBe('address');
    expect(leadsTo('payment', 'cart')).toBe('cart');
    for (const step of ['payment', 'confirm', 'complete', 'nonsense', null, 3]) {
      expect(leadsTo('payment', step)).toBeNull();
    }
    expect(leadsTo('complete', 'cart')).toBeNull();
    expect(leadsTo('canceled', 'cart')).toBeNull();
  });
});

describe('shipment', () => {
  const paid: ShipmentFacts = {
    order_state: 'complete',
    order_payment_state: 'paid',
    has_backordered_units: false,
    has_left: false,
    is_covered: false,
  };

  test.each<[Partial<ShipmentFacts>, ShipmentState, ShipmentState]>([
    [{}, 'pending', 'ready'],
    [{ order_payment_state: 'credit_owed' }, 'pending', 'ready'],
    [{ order_payment_state: 'balance_due' }, 'pending', 'pending'],
    [{ order_payment_state: null }, 'pending', 'pending'],
    [{ order_payment_state: 'balance_due' }, 'ready', 'pending'],
    [{ has_backordered_units: true }, 'pending', 'pending'],
    [{ order_state: 'delivery' }, 'pending', 'pending'],
    [{ order_state: 'canceled' }, 'pending', 'canceled'],
    [{ order_state: 'canceled' }, 'ready', 'canceled'],
    [{ order_state: 'canceled' }, 'canceled', 'canceled'],
    [{ order_state: 'awaiting_return' }, 'shipped', 'shipped'],
    [{ order_payment_state: 'balance_due' }, 'shipped', 'shipped'],
    [{ has_backordered_units: true }, 'shipped', 'shipped'],
    [{ order_payment_state: 'balance_due', is_covered: true }, 'pending', 'ready'],
    [
      { order_payment_state: 'balance_due', is_covered: true, has_backordered_units: true },
      'ready',
      'pending',
    ],
    [{ order_state: 'confirm', order_payment_state: null, is_covered: true }, 'pending', 'pending'],
    [{}, 'canceled', 'canceled'],
    [{ has_left: true, order_payment_state: 'balance_due' }, 'pending', 'shipped'],
    [{ has_left: true }, 'ready', 'shipped'],
    [{ has_left: true, order_state: 'canceled' }, 'ready', 'canceled'],
  ])('with %j a shipment that is %s becomes %s', (facts, state, expected) => {
    expect(calculateShipmentState(state, { ...paid, ...facts })).toBe(expected);
  });

  test('ready and ship may be repeated', () => {
    expect(shipmentMachine.decide('ready', 'ready', paid)).toMatchObject({ isNoOp: true });
    expect(shipmentMachine.decide('shipped', 'ready', paid)).toMatchObject({ isNoOp: true });
    expect(shipmentMachine.decide('ready', 'ship', paid)).toMatchObject({
      to: 'shipped',
      then: ['ship_units', 'stamp_shipped_at'],
    });
    expect(shipmentMachine.decide('shipped', 'ship', paid)).toMatchObject({ isNoOp: true });
  });

  test('shipping the last single unit ships the shipment', () => {
    expect(shipmentMachine.decide('ready', 'ship_unit', { ...paid, has_more_units: true })).toMatchObject({
      to: 'ready',
      then: ['stamp_unit_shipped_at'],
    });
    expect(shipmentMachine.decide('ready', 'ship_unit', paid)).toMatchObject({
      to: 'shipped',
      then: ['stamp_shipped_at'],
    });
  });

  test('a shipment captured on dispatch ships from an unpaid order, unless it is not ready for other reasons', () => {
    const dispatched = { ...paid, order_payment_state: 'balance_due', is_paid_on_dispatch: true };
    expect(shipmentMachine.decide('pending', 'ship', dispatched)).toMatchObject({
      to: 'shipped',
      then: ['ship_units', 'stamp_shipped_at'],
    });
    const missing: Partial<ShipmentFacts>[] = [
      { has_backordered_units: true },
      { order_state: 'confirm' },
      { order_state: 'canceled' },
      { is_paid_on_dispatch: false },
    ];
    for (const facts of missing) {
      expect(shipmentMachine.decide('pending', 'ship', { ...dispatched, ...facts })).toMatchObject({
        refused: { base: ['Cannot ship shipment.'] },
      });
    }
    expect(isRefused(shipmentMachine.decide('pending', 'ready', dispatched))).toBe(true);
  });

  test('a shipment that is only covered by authorized payments does not ship before their capture', () => {
    const covered = { ...paid, order_payment_state: 'balance_due', is_covered: true };
    expect(isRefused(shipmentMachine.decide('ready', 'ship', covered))).toBe(true);
    expect(isRefused(shipmentMachine.decide('ready', 'ship_unit', covered))).toBe(true);
    expect(shipmentMachine.decide('ready', 'ship', { ...covered, is_paid_on_dispatch: true })).toMatchObject({
      to: 'shipped',
    });
  });

  test('an unshipped shipment of a complete order can be canceled, also when it has shipped in part', () => {
    for (const state of ['pending', 'ready'] as const) {
      expect(shipmentMachine.decide(state, 'cancel', paid)).toMatchObject({
        to: 'canceled',
        then: ['release_units', 'remove_cost'],
      });
      expect(shipmentMachine.decide(state, 'cancel', { ...paid, has_shipped_units: true })).toMatchObject({
        to: state,
        then: ['release_units'],
      });
      for (const order_state of ['confirm', 'canceled'] as const) {
        expect(shipmentMachine.decide(state, 'cancel', { ...paid, order_state })).toMatchObject({
          refused: { base: ['Cannot cancel shipment.'] },
        });
      }
    }
    expect(shipmentMachine.decide('canceled', 'cancel', paid)).toMatchObject({ isNoOp: true });
    expect(isRefused(shipmentMachine.decide('shipped', 'cancel', paid))).toBe(true);
  });

  test('resuming an order resumes its canceled shipments, except those that were canceled by themselves', () => {
    expect(shipmentMachine.decide('canceled', 'resume', { ...paid, has_units: true })).toMatchObject({
      to: 'pending',
    });
    expect(shipmentMachine.decide('canceled', 'resume', { ...paid, has_units: false })).toMatchObject({
      isNoOp: true,
    });
  });

  test('refusals have the messages that clients match', () => {
    const unpaid = { ...paid, order_payment_state: 'balance_due' };
    expect(shipmentMachine.decide('pending', 'ready', unpaid)).toMatchObject({
      refused: { base: ['Cannot ready shipment.'] },
    });
    expect(shipmentMachine.decide('canceled', 'ready', paid)).toMatchObject({
      refused: { base: ['Cannot ready shipment.'] },
    });
    expect(shipmentMachine.decide('pending', 'ship', paid)).toMatchObject({
      refused: { base: ['Cannot ship shipment.'] },
    });
  });
});

test('an inventory unit never returns to an earlier state', () => {
  const events: InventoryUnitEvent[] = ['fill_backorder', 'ship', 'return'];
  const allowed = (['backordered', 'on_hand', 'shipped', 'returned'] as const).flatMap((state) =>
    events.flatMap((event) => {
      const decision = inventoryUnitMachine.decide(state, event, {});
      return isRefused(decision) ? [] : [`${state} ${event} ${decision.to}`];
    }),
  );
  expect(allowed).toEqual([
    'backordered fill_backorder on_hand',
    'on_hand ship shipped',
    'shipped return returned',
  ]);
});

test('refill and move fill a unit from the stock until it ships', () => {
  for (const event of ['refill', 'move'] as const) {
    for (const state of ['on_hand', 'backordered'] as const) {
      expect(inventoryUnitMachine.decide(state, event, { is_supplied: true })).toMatchObject({
        to: 'on_hand',
      });
      expect(inventoryUnitMachine.decide(state, event, {})).toMatchObject({ to: 'backordered' });
    }
    expect(isRefused(inventoryUnitMachine.decide('shipped', event, { is_supplied: true }))).toBe(true);
  }
});

describe('return authorization', () => {
  const holding = { unit_count: 1 };

  test('can be received if it has units', () => {
    expect(returnAuthorizationMachine.decide('authorized', 'receive', holding)).toMatchObject({
      to: 'received',
      then: ['receive_units', 'credit_order'],
    });
    expect(returnAuthorizationMachine.decide('authorized', 'receive', { unit_count: 0 })).toMatchObject({
      refused: { base: expect.anything() },
    });
  });

  test('does not change after it is received or canceled', () => {
    for (const state of ['received', 'canceled'] as const) {
      for (const event of ['add', 'receive', 'cancel'] as const) {
        expect(returnAuthorizationMachine.decide(state, event, holding)).toMatchObject({
          refused: { state: [`cannot transition via "${event}"`] },
        });
      }
      expect(returnAuthorizationMachine.decide(state, 'update', holding)).toMatchObject({
        refused: { base: expect.anything() },
      });
    }
  });

  test('cannot be deleted when received; otherwise deletion releases its units', () => {
    expect(returnAuthorizationMachine.decide('received', 'delete', holding)).toMatchObject({
      refused: { base: expect.anything() },
    });
    expect(returnAuthorizationMachine.decide('canceled', 'delete', holding)).toMatchObject({
      then: ['release_units', 'delete_row'],
    });
  });
});

test('docs/state-machines.md is current (npm run docs generates it)', () => {
  const stored = readFileSync(join(__dirname, '../../../docs/state-machines.md'), 'utf8');
  expect(stored).toBe(renderStateMachines());
});
