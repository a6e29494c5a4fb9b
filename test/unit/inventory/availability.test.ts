import { canSupply } from '../../../src/inventory/availability';

const counted = { tracks_inventory: true, total_on_hand: 3, backorderable: false };

describe('canSupply', () => {
  test('is limited to the total of all active locations', () => {
    expect(canSupply(counted, 3)).toBe(true);
    expect(canSupply(counted, 4)).toBe(false);
  });

  test('has no limit for backorderable variants, even below zero', () => {
    expect(canSupply({ ...counted, total_on_hand: -7, backorderable: true }, 2147483647)).toBe(true);
  });

  test('has no limit for variants without inventory tracking', () => {
    expect(canSupply({ ...counted, tracks_inventory: false, total_on_hand: 0 }, 1000)).toBe(true);
  });

  test('is false below zero if the variant is no longer backorderable', () => {
    expect(canSupply({ ...counted, total_on_hand: -1 }, 1)).toBe(false);
  });

  test('no units at all are always to be had', () => {
    expect(canSupply({ ...counted, total_on_hand: 0 }, 0)).toBe(true);
  });
});
