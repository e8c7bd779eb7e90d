import type { Tapped } from './dialect.ts';

/** No maker's name or id is longer; what stands there is shown to operators. */
const MOST_LETTERS = 120;

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MOST_LETTERS;

/** The model that a reply names in this field, and the upstream's id of the reply; without a model nothing. */
export const namedIn = (model: unknown, id: unknown): Pick<Tapped, 'model' | 'replyId'> | undefined => {
  if (!isShort(model)) return undefined;
  return isShort(id) ? { model, replyId: id } : { model };
};
