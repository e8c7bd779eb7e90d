import type { Choice } from '../fields/select-field.tsx';

interface Named {
  /** Its name in the address and in `view.filters`. */
  readonly id: string;
  readonly label: string;
}

/**
 * One filter of a ResourceTable.
 * `segments`: a few choices, always visible, the first is "all" with value ''. `select`: many, by typing.
 * `text`: free words. `time`: two addresses `<id>_from` and `<id>_to`, unix seconds as text.
 */
export type Filter = Named &
  (
    | { readonly kind: 'segments'; readonly choices: readonly (Choice & { readonly count?: number })[] }
    | { readonly kind: 'select'; readonly choices: readonly Choice[] }
    | { readonly kind: 'text' }
    | { readonly kind: 'time' }
  );

/** The names a filter uses in the address. */
export const filterNames = (filter: Filter): readonly string[] =>
  filter.kind === 'time' ? [`${filter.id}_from`, `${filter.id}_to`] : [filter.id];
