import { useEffect, useRef } from 'preact/hooks';
import { readMessages } from '../../shared/messages';
import type { Step, StepProps } from '../checkout-step';
import { Refusal } from './refusal';

interface StepEndProps {
  order: StepProps['order'];
  step: Step;
  /** What the button does. */
  name: string;
  /** Whether the step shows the messages of fields beside them. */
  hasFields?: boolean;
  /** Instead of the error. */
  text?: string | undefined;
  disabled?: boolean;
}

/** The end of a step of the checkout: its error and its button. */
export function StepEnd({ order, step, name, hasFields = false, text, disabled = false }: StepEndProps) {
  const { error, isPending } = step;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (error !== null) button.current?.form?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return (
    <>
      <Refusal error={error} order={order} text={text ?? (hasFields ? readMessages(error).summary : null)} />
      <button ref={button} class="button wide" disabled={isPending || disabled}>
        {isPending ? 'Saving…' : name}
      </button>
    </>
  );
}
