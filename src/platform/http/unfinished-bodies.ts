/** The memory that bodies take which have not arrived completely, of all requests. */
export interface UnfinishedBodies {
  /**
   * Begins a body. `cutOff` is called if other bodies need the memory and this is the oldest of those that take more than
   * their free part.
   */
  begin: (cutOff: () => void) => UnfinishedBody;
}

export interface UnfinishedBody {
  /** Notes that the body takes further bytes. */
  add: (bytes: number) => void;
  /** Gives the memory back; later bytes are not counted. Repeatable. */
  end: () => void;
}

/** Bodies up to this size are never cut off. */
const FREE_BYTES = 16 * 1024;

/** Creates the account of the bodies, which together take at most `mostBytes` beside their free parts. */
export function createUnfinishedBodies(mostBytes: number): UnfinishedBodies {
  const taking = new Map<object, { bytes: number; cutOff: () => void }>();
  let total = 0;

  const end = (body: object): void => {
    total -= taking.get(body)?.bytes ?? 0;
    taking.delete(body);
  };
  const cutOffOldest = (): void => {
    for (const [body, { cutOff }] of taking) {
      if (total <= mostBytes) return;
      end(body);
      cutOff();
    }
  };
  return {
    begin: (cutOff) => {
      const body = {};
      let seen = 0;
      let isOver = false;
      return {
        add: (bytes) => {
          seen += bytes;
          if (isOver || seen <= FREE_BYTES) return;
          const before = taking.get(body)?.bytes ?? 0;
          total += seen - FREE_BYTES - before;
          taking.set(body, { bytes: seen - FREE_BYTES, cutOff });
          cutOffOldest();
        },
        end: () => {
          isOver = true;
          end(body);
        },
      };
    },
  };
}
