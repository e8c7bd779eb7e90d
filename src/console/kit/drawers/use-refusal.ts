import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, useState } from 'react';
import { showFirstErrorOr } from '../../lib/browser/show-first-error.ts';
import { messageOf, refusedField } from '../../lib/server/api-error.ts';

/**
 * The server's refusal of a form: at the field it is about, which gets the focus, or else as a text for above the fields.
 * @param error of the last attempt to save
 * @param names what fields of the form are called in the API, where it is something else
 * @returns the text above the fields
 */
export const useRefusal = <Values extends object>(
  form: Pick<UseFormReturnType<Values>, 'setFieldError'> & { readonly values: Values },
  error: Error | null,
  names: Readonly<Record<string, keyof Values & string>> = {},
): string | undefined => {
  /** The field is not drawn. */
  const [unseen, setUnseen] = useState<Error>();
  const named = refusedField(error, [...Object.keys(names), ...Object.keys(form.values)]);
  const show = useEffectEvent((refused: Error) => {
    if (named === undefined) return;
    form.setFieldError(names[named] ?? named, messageOf(refused));
    showFirstErrorOr(() => setUnseen(refused));
  });
  // Once for each refusal: typing in the field takes its error away.
  useEffect(() => {
    if (error !== null) show(error);
  }, [error]);
  return error === null || (named !== undefined && unseen !== error) ? undefined : messageOf(error);
};
