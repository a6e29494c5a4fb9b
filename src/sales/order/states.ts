import { listStates } from '../../platform/state-machine';
import { checkoutMachine } from './checkout.machine';
import { inventoryUnitMachine } from './inventory-unit.machine';
import { orderMachine } from './order.machine';
import { orderReturnsMachine } from './order-returns.machine';
import { paymentMachine } from './payment.machine';
import { returnAuthorizationMachine } from './return-authorization.machine';
import { shipmentMachine } from './shipment.machine';

/**
 * The states of each kind of record, from the tables of their machines. The reference and the typed client list them.
 */
export const ORDER_STATES = listStates(checkoutMachine.rows, orderMachine.rows, orderReturnsMachine.rows);
export const PAYMENT_STATES = listStates(paymentMachine.rows);
export const SHIPMENT_STATES = listStates(shipmentMachine.rows);
export const INVENTORY_UNIT_STATES = listStates(inventoryUnitMachine.rows);
export const RETURN_AUTHORIZATION_STATES = listStates(returnAuthorizationMachine.rows);
