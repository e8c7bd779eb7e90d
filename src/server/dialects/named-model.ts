import type { Tapped } from './dialect.ts';

/** No maker's name is longer; what stands there is shown to operators. */
const MOST_LETTERS = 120;

/** The model that a reply names in this field; nothing if it names none. */
export const namedIn = (value: unknown): Pick<Tapped, 'model'> | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MOST_LETTERS ? { model: value } : undefined;
