import { parsed } from '#contract/json-text.ts';
import { isFields } from '#core/json/fields.ts';

/** A field that names a clip, or something else made from one, and the ids in it. */
export interface NamedClips {
  readonly field: string;
  /** An id that is not a text becomes empty, which belongs to nobody. */
  readonly ids: readonly string[];
}

/** Fields that name what is to be continued, covered or imitated. */
const NAMES_CLIP = /(?:clip|persona|song|audio|upload)_?ids?$/i;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Every clip that a request names, however deep: upstreams differ in where they look for them. */
export const clipsNamedIn = (value: unknown): NamedClips[] => {
  if (Array.isArray(value)) return value.flatMap(clipsNamedIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inside]) => {
    if (!NAMES_CLIP.test(field)) return clipsNamedIn(inside);
    if (isEmpty(inside)) return [];
    const ids: readonly unknown[] = Array.isArray(inside) ? inside : [inside];
    return [{ field, ids: ids.map((id) => (typeof id === 'string' ? id : '')) }];
  });
};

/** All texts in a task's `data` as reported by the upstream, including the ids of its clips. */
export const textsIn = (data: string): ReadonlySet<string> => {
  const texts = new Set<string>();
  const note = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const inside of Object.values(value)) note(inside);
  };
  note(parsed(data));
  texts.delete('');
  return texts;
};
