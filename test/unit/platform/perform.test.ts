import fc from 'fast-check';
import { TransitionRefused } from '../../../src/platform/errors';
import {
  deriveState,
  finish,
  perform,
  throwIfRefused,
  type PerformerOf,
} from '../../../src/platform/perform';
import { isRefused, sameState, createMachine } from '../../../src/platform/state-machine';

type DoorState = 'open' | 'closed' | 'turning' | 'locked';
interface DoorFacts {
  has_key: boolean;
  is_oiled: boolean;
}

const hasKey = (door: DoorFacts) => (door.has_key ? null : { base: ['no key'] });
const isOiled = (door: DoorFacts) => (door.is_oiled ? null : { hinge: ['is rusty'] });

const machine = createMachine<
  DoorState,
  'close' | 'lock' | 'paint' | 'slam',
  DoorFacts,
  'creak' | 'shine' | 'find_key' | 'notify' | 'drop_key',
  'locksmith'
>([
  { from: 'open', on: 'close', to: 'closed', then: ['creak', 'shine'], after: ['notify'] },
  { from: 'closed', on: 'close', to: sameState },
  { from: ['open', 'closed'], on: 'paint', to: sameState, then: ['shine'] },
  { from: 'open', on: 'slam', to: 'closed', when: [hasKey, { guard: isOiled, orElse: ['creak'] }] },
  {
    from: ['open', 'closed'],
    on: 'lock',
    to: 'locked',
    when: [hasKey],
    prepare: ['find_key'],
    through: 'turning',
    after: ['notify'],
    calls: 'locksmith',
    then: ['shine'],
    undo: ['drop_key'],
    refusedTo: 'open',
  },
]);

interface Door {
  state: DoorState;
  facts: DoorFacts;
  /** All effects and writes, in order. */
  log: string[];
}

const note =
  (name: string) =>
  ({ log }: Door): void => {
    log.push(name);
  };

const performer: PerformerOf<typeof machine, Door, string> = {
  machine,
  read: ({ state, facts }) => ({ state, facts }),
  effects: {
    creak: note('creak'),
    shine: note('shine'),
    find_key: note('find_key'),
    notify: note('notify'),
    drop_key: note('drop_key'),
  },
  write(door, { to, call }) {
    note(`write ${to ?? 'same'}${call === null ? '' : ` ${call}`}`)(door);
    door.state = to ?? door.state;
    return door.state;
  },
};

const door = (state: DoorState, facts: Partial<DoorFacts> = {}): Door => ({
  state,
  facts: { has_key: true, is_oiled: true, ...facts },
  log: [],
});

describe('perform', () => {
  test('moved: runs effects, writes the state, then runs the effects after it', () => {
    const one = door('open');
    expect(perform(performer, 'close', one)).toEqual({ ended: 'moved', written: 'closed' });
    expect(one.log).toEqual(['creak', 'shine', 'write closed', 'notify']);
  });

  test('moved to the same state: still writes, because of the effects', () => {
    const one = door('closed');
    expect(perform(performer, 'paint', one)).toEqual({ ended: 'moved', written: 'closed' });
    expect(one.log).toEqual(['shine', 'write same']);
  });

  test('unchanged: runs and writes nothing', () => {
    const one = door('closed');
    expect(perform(performer, 'close', one)).toEqual({ ended: 'unchanged' });
    expect(one.log).toEqual([]);
  });

  test('refused: returns the errors and writes nothing', () => {
    const one = door('open', { has_key: false });
    expect(perform(performer, 'slam', one)).toEqual({
      ended: 'refused',
      errors: { base: ['no key'] },
      written: null,
    });
    expect(perform(performer, 'paint', { ...one, state: 'locked' })).toMatchObject({
      ended: 'refused',
      errors: { state: ['cannot transition via "paint"'] },
    });
    expect(one.log).toEqual([]);
  });

  test('refused with effects: writes them and keeps the state', () => {
    const one = door('open', { is_oiled: false });
    expect(perform(performer, 'slam', one)).toEqual({
      ended: 'refused',
      errors: { hinge: ['is rusty'] },
      written: 'open',
    });
    expect(one.log).toEqual(['creak', 'write same']);
  });

  test('calls: writes the preparation of the call, but not its result', () => {
    const one = door('closed');
    expect(perform(performer, 'lock', one)).toEqual({
      ended: 'calls',
      call: 'locksmith',
      written: 'turning',
    });
    expect(one.log).toEqual(['find_key', 'write turning locksmith', 'notify']);
  });
});

describe('finish', () => {
  const call = { from: 'closed', event: 'lock', call: 'locksmith' } as const;

  test('approved: runs the effects of the row and writes its state', () => {
    const one = door('turning', { has_key: false });
    expect(finish(performer, { ...call, approved: true }, one)).toBe('locked');
    expect(one.log).toEqual(['shine', 'write locked']);
  });

  test('declined: runs the undo effects and writes their state', () => {
    const one = door('turning');
    expect(finish(performer, { ...call, approved: false }, one)).toBe('open');
    expect(one.log).toEqual(['drop_key', 'write open']);
  });

  test('throws for a call that is not in the table', () => {
    const never = { ...call, from: 'locked', approved: true } as const;
    expect(() => finish(performer, never, door('turning'))).toThrow('no row calls locksmith');
  });
});

test('deriveState decides without writing; rejects rows with effects or calls', () => {
  const facts = { has_key: true, is_oiled: true };
  expect(deriveState(machine, 'slam', 'open', facts)).toBe('closed');
  expect(() => deriveState(machine, 'close', 'open', facts)).toThrow('not a derived transition');
  expect(() => deriveState(machine, 'lock', 'open', facts)).toThrow('not a derived transition');
  expect(() => deriveState(machine, 'slam', 'locked', facts)).toThrow('not a derived transition');
});

test('throwIfRefused returns every other ending', () => {
  expect(throwIfRefused(perform(performer, 'close', door('open')))).toMatchObject({ ended: 'moved' });
  const refused = perform(performer, 'slam', door('open', { has_key: false }));
  expect(() => throwIfRefused(refused)).toThrow(TransitionRefused);
});

test('effects and writes match the decision of the machine', () => {
  const states = fc.constantFrom<DoorState>('open', 'closed', 'turning', 'locked');
  const events = fc.constantFrom('close', 'lock', 'paint', 'slam');
  const facts = fc.record({ has_key: fc.boolean(), is_oiled: fc.boolean() });
  fc.assert(
    fc.property(states, events, facts, (state, event, fact) => {
      const one = door(state, fact);
      const decision = machine.decide(state, event, fact);
      const ending = perform(performer, event, one);
      if (isRefused(decision)) {
        const written = decision.orElse.length === 0 ? [] : ['write same'];
        expect(one.log).toEqual([...decision.orElse, ...written]);
        expect(ending).toMatchObject({ ended: 'refused', errors: decision.refused });
        expect(one.state).toBe(state);
        return;
      }
      const stored = decision.calls === null ? decision.to : decision.through;
      const effects = decision.calls === null ? decision.then : decision.prepare;
      expect(one.state).toBe(stored);
      expect(one.log.filter((entry) => !entry.startsWith('write'))).toEqual([...effects, ...decision.after]);
      expect(one.log.filter((entry) => entry.startsWith('write'))).toHaveLength(decision.isNoOp ? 0 : 1);
      if (decision.calls === null || ending.ended !== 'calls') return;
      for (const approved of [true, false]) {
        const waiting = door(stored, fact);
        finish(performer, { from: state, event, call: decision.calls, approved }, waiting);
        expect(waiting.state).toBe(approved ? decision.to : decision.refusedTo);
      }
    }),
  );
});
