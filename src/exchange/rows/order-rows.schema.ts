import { z } from 'zod';
import { readAddressCells } from '../../accounts/users/customer-rows';
import { lineCells, orderCells } from '../../sales/orders/sold-cells.schema';
import type { SoldRow } from '../../sales/orders/sold-rows';
import { addressCells } from './customer-rows.schema';

const LineFields = z.object(lineCells);
const OrderFields = z.object(orderCells);

/** A row of a file of kind `orders`: a line item, and what the file says of its order. */
export const OrderCells = z.object({
  ...lineCells,
  ...orderCells,
  ...addressCells('bill'),
  ...addressCells('ship'),
});

/** Returns the line item of a row and what it says of its order. A blank cell says nothing, except `shipped_at`: not yet. */
export function toSoldRow(cells: z.output<typeof OrderCells>): SoldRow {
  const line = LineFields.keyof().options.map((column) => [column, cells[column]]);
  const order = OrderFields.keyof().options.flatMap((column) =>
    cells[column] === undefined ? [] : [[column, cells[column] === '' ? null : cells[column]]],
  );
  return {
    ...(Object.fromEntries(line) as z.output<typeof LineFields>), // the columns of its own schema
    order: {
      ...(Object.fromEntries(order) as z.output<typeof OrderFields>), // likewise
      bill_address: readAddressCells('bill', cells),
      ship_address: readAddressCells('ship', cells),
    },
  };
}
