import type { FieldErrors } from './errors';

/** A condition in domain words (`hasBillAddress`); answers the errors to show when it does not hold, else null. */
export type Guard<Facts> = (facts: Facts) => FieldErrors | null;

/** Row of a table that leaves the state as it is: `to: sameState`. */
export const sameState = Symbol('the same state');
/** Row of a table that holds in every state: `from: anyState`. */
export const anyState = Symbol('any state');

/** One line of a transition table. A field that is left out means "nothing". */
export interface Row<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
> {
  from: State | readonly State[] | typeof anyState;
  on: Event;
  to: State | typeof sameState;
  /** Whether this row is meant at all: of several rows for one state and event the first whose `given` holds is taken. */
  given?: (facts: Facts) => boolean;
  /** Guards in order; the first that answers errors refuses. With `orElse`, its refusal has effects that must survive. */
  when?: readonly (Guard<Facts> | { guard: Guard<Facts>; orElse: readonly Effect[] })[];
  /** Effects in order, inside the transaction that stores the new state. */
  then?: readonly Effect[];
  /** Effects in order, inside the same transaction, that need the new state (with `calls`: `through`) stored. */
  after?: readonly Effect[];
  /** Only with `calls`. Effects committed, together with the state `through`, before the outside world is asked. */
  prepare?: readonly Effect[];
  through?: State;
  /** The one question to the outside world, asked in no transaction. */
  calls?: Call;
  /** Only with `calls`. Effects, and the new state (default: the state before), when the outside world refuses. */
  undo?: readonly Effect[];
  refusedTo?: State;
}

/** The event is allowed. Arrays are empty and `calls` null where the row says nothing. */
export interface Transition<State, Effect, Call> {
  from: State;
  to: State;
  then: readonly Effect[];
  after: readonly Effect[];
  prepare: readonly Effect[];
  /** The state to store while the call runs; equals `from` where nothing else is named. */
  through: State;
  calls: Call | null;
  undo: readonly Effect[];
  /** The state to store when the call is refused. */
  refusedTo: State;
  /** True for a request that may be repeated: same state, no effect, no call. Nothing is written. */
  isNoOp: boolean;
}

/** The event is refused with `refused`; effects in `orElse` are run and committed all the same (usually there are none). */
export interface Refusal<Effect> {
  refused: FieldErrors;
  orElse: readonly Effect[];
}

export type Decision<State, Effect, Call> = Transition<State, Effect, Call> | Refusal<Effect>;

export interface Machine<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
> {
  /** Pure: what happens on `event` in `state`. Nothing is written; `perform` stores the state and runs the effects. */
  decide(state: State, event: Event, facts: Facts): Decision<State, Effect, Call>;
  /**
   * Finds the transition whose call was made earlier. Guards are not evaluated again.
   * @throws Error when the table has no such row
   */
  getCalled(state: State, event: Event, call: Call): Transition<State, Effect, Call>;
  /** The table itself, for docs/state-machines.md and for tests that walk it. */
  rows: readonly Row<State, Event, Facts, Effect, Call>[];
}

/**
 * Builds a machine from its table. An event that no row knows in a state is refused with `refuse(state, event)`,
 * by default `state: ["cannot transition via \"<event>\""]`.
 */
export function createMachine<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string = never,
  Call extends string = never,
>(
  rows: readonly Row<State, Event, Facts, Effect, Call>[],
  refuse: (state: State, event: Event, facts: Facts) => FieldErrors = (_state, event) =>
    buildTransitionErrors(event),
): Machine<State, Event, Facts, Effect, Call> {
  return {
    rows,
    decide(state, event, facts) {
      const row = rows.find((candidate) => isSelected(candidate, state, event, facts));
      if (!row) return { refused: refuse(state, event, facts), orElse: [] };
      for (const condition of row.when ?? []) {
        const { guard, orElse } =
          typeof condition === 'function' ? { guard: condition, orElse: [] } : condition;
        const refused = guard(facts);
        if (refused) return { refused, orElse };
      }
      return buildTransition(row, state);
    },
    getCalled(state, event, call) {
      const row = rows.find((candidate) => candidate.calls === call && matches(candidate, state, event));
      if (!row) throw new Error(`no row calls ${call} on ${event} in state ${state}`);
      return buildTransition(row, state);
    },
  };
}

/** The errors of an event that does not exist in a state. */
export function buildTransitionErrors(event: string): FieldErrors {
  return { state: [`cannot transition via "${event}"`] };
}

/** Whether `decide` refused; narrows the decision. */
export function isRefused<State, Effect, Call>(
  decision: Decision<State, Effect, Call>,
): decision is Refusal<Effect> {
  return 'refused' in decision;
}

function isSelected<State extends string, Event extends string, Facts>(
  row: Pick<Row<State, Event, Facts, never, never>, 'from' | 'on' | 'given'>,
  state: State,
  event: Event,
  facts: Facts,
): boolean {
  return matches(row, state, event) && (row.given === undefined || row.given(facts));
}

function matches<State extends string, Event extends string>(
  row: Pick<Row<State, Event, never, never, never>, 'from' | 'on'>,
  state: State,
  event: Event,
): boolean {
  if (row.on !== event) return false;
  return typeof row.from === 'string'
    ? row.from === state
    : row.from === anyState || row.from.includes(state);
}

function buildTransition<
  State extends string,
  Event extends string,
  Facts,
  Effect extends string,
  Call extends string,
>(row: Row<State, Event, Facts, Effect, Call>, from: State): Transition<State, Effect, Call> {
  const to = row.to === sameState ? from : row.to;
  const { then = [], after = [], prepare = [], calls = null } = row;
  return {
    from,
    to,
    then,
    after,
    prepare,
    through: row.through ?? from,
    calls,
    undo: row.undo ?? [],
    refusedTo: row.refusedTo ?? from,
    isNoOp: to === from && calls === null && [...then, ...after, ...prepare].length === 0,
  };
}
