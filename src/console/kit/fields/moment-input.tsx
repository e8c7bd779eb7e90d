import { type ComponentProps, useState } from 'react';
import { localText, readLocal } from '../../lib/text/local-time.ts';

interface MomentInputProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'value' | 'onChange' | 'className'
> {
  /** Unix seconds; undefined while empty. */
  readonly value: number | undefined;
  /** Gets what was typed; undefined for an emptied field, unless it is `required`. */
  readonly onDone: (unixSeconds: number | undefined) => void;
  /** In a form, which may be saved at any moment, with every key; else on Enter and when the field is left. */
  readonly isEager?: boolean;
}

/**
 * A moment in the local zone. While its year or hour is being typed the browser already reports some other moment, for which a
 * list should not be fetched: the field keeps what is typed, and gives it away when it is done.
 */
export const MomentInput = ({ value, onDone, isEager = false, ...input }: MomentInputProps) => {
  const [typed, setTyped] = useState(localText(value));
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // What is typed stays as it is typed.
    if (readLocal(typed) !== value) setTyped(localText(value));
  }
  const take = (text: string): void => {
    const moment = readLocal(text);
    if (moment === undefined && (text !== '' || input.required)) setTyped(localText(value));
    else if (moment !== value) onDone(moment);
  };
  return (
    <input
      {...input}
      type="datetime-local"
      className="input number"
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        if (isEager) onDone(readLocal(event.target.value));
      }}
      onBlur={(event) => {
        // Half of a date reads as none. In a form it stays, and is not saved.
        if (isEager) return;
        if (event.target.validity.badInput) setTyped(localText(value));
        else take(event.target.value);
      }}
      onKeyDown={(event) => event.key === 'Enter' && !isEager && take(event.currentTarget.value)}
    />
  );
};
