/** The part of newman that the tests use; it has no types. */
declare module 'newman' {
  interface Failure {
    error: { name: string; message: string; test?: string };
    source?: { name?: string };
  }

  interface Summary {
    run: {
      stats: Record<'requests' | 'assertions' | 'testScripts', { total: number; failed: number }>;
      failures: Failure[];
    };
  }

  interface RunOptions {
    collection: object;
    folder?: string | string[];
    envVar?: { key: string; value: string }[];
  }

  export function run(options: RunOptions, done: (error: Error | null, summary: Summary) => void): void;
}
