import { useMutation, type UseMutationOptions } from '@tanstack/preact-query';
import { useRef } from 'preact/hooks';

/**
 * Returns a mutation that is sent once at a time and sends what the form shows. The second click of a double click comes before its
 * button is disabled, and would send it again, or the next step of a checkout. Enter right after the last letter comes before the
 * options of a mutation are replaced, and would send the text without that letter.
 */
export function useOnce<Data, Variables = void>(options: UseMutationOptions<Data, Error, Variables>) {
  const isRunning = useRef(false);
  const latest = useRef(options);
  latest.current = options;
  const mutation = useMutation({
    ...options,
    mutationFn: async (variables: Variables, context) => {
      try {
        const { mutationFn } = latest.current;
        if (mutationFn === undefined) throw new TypeError('mutationFn is missing');
        return await mutationFn(variables, context);
      } finally {
        isRunning.current = false;
      }
    },
  });
  const mutate: typeof mutation.mutate = (...args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation.mutate(...args);
  };
  return { ...mutation, mutate };
}
