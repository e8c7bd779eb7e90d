import { parsed } from '#contract/json-text.ts';
import { isFields } from '#core/json/fields.ts';

/** A field that names a clip, or something else made from one, and the ids in it. */
export interface NamedClips {
  readonly field: string;
  readonly ids: readonly string[];
}

/** Fields that name what is to be continued, covered or imitated. */
const NAMES_CLIP = /(?:clip|persona|song|audio|upload)_?ids?$/i;

/** Whether a field names nothing. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** One id or several, as texts. What is no text becomes empty, which is nobody's id. */
const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((id: unknown) => (typeof id === 'string' ? id : ''));

/** Every clip that a request names, however deep: upstreams differ in where they look for them. */
export const clipsNamedIn = (value: unknown): NamedClips[] => {
  if (Array.isArray(value)) return value.flatMap(clipsNamedIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inside]) => {
    if (!NAMES_CLIP.test(field)) return clipsNamedIn(inside);
    if (isEmpty(inside)) return [];
    return [{ field, ids: listed(inside) }];
  });
};

/** Fields of a clip that hold its own id. */
const isIdOfClip = (field: string): boolean => field === 'id' || NAMES_CLIP.test(field);

/**
 * The ids of the clips in a task's `data` as reported by the upstream: a clip, a list of them, or an object that holds such a
 * list. Nothing else counts: titles, prompts and what is repeated of the request are the caller's own words, which may
 * be the id of somebody else's clip.
 */
export const clipsMadeIn = (data: string): ReadonlySet<string> => {
  const ids = new Set<string>();
  const note = (value: unknown, depth: number): void => {
    if (Array.isArray(value) && depth < 2) for (const entry of value) note(entry, depth + 1);
    if (!isFields(value)) return;
    for (const [field, inside] of Object.entries(value)) {
      if (isIdOfClip(field)) for (const id of listed(inside)) ids.add(id);
      else if (Array.isArray(inside) && depth === 0) note(inside, depth);
    }
  };
  note(parsed(data), 0);
  ids.delete('');
  return ids;
};
