import type { ReactNode } from 'react';
import type { Choice } from '../fields/combobox/use-combobox.ts';
import type { UrlPatch } from '../../lib/browser/url-state.ts';
import type { View } from './column.ts';

export interface ViewControls {
  readonly view: View;
  /** Changes filters or search and goes back to the first page. */
  readonly narrow: (patch: UrlPatch, options?: { replace?: boolean }) => void;
  readonly goTo: (page: number, options?: { replace?: boolean }) => void;
  readonly setPageSize: (size: number) => void;
  readonly sortBy: (column: string) => void;
  readonly clear: () => void;
  readonly isNarrowed: boolean;
  /** The values of these names in the address. */
  readonly asked: (names: readonly string[]) => Readonly<Record<string, string>>;
}

interface Named {
  /** Its name in the address and in `view.filters`. */
  readonly id: string;
  readonly label: string;
}

/**
 * One filter of a ResourceTable.
 * `segments`: a few choices, always visible, the first is "all" with value ''. `select`: many, by typing.
 * `text`: free words. `time`: two addresses `<id>_from` and `<id>_to`, unix seconds as text.
 * `own`: the page brings its own control for the time, and says which names it uses in the address.
 */
export type Filter = Named &
  (
    | { readonly kind: 'segments'; readonly choices: readonly (Choice & { readonly count?: number })[] }
    | {
        readonly kind: 'select';
        readonly choices: readonly Choice[];
        /** The user has moved to it, so its choices are needed. */
        readonly onFocus?: () => void;
      }
    | {
        readonly kind: 'text';
        /** The part of the typed text that may be in the address: the start of a key. */
        readonly keep?: (typed: string) => string;
      }
    | { readonly kind: 'time' }
    | {
        readonly kind: 'own';
        readonly names: readonly string[];
        readonly control: (controls: ViewControls) => ReactNode;
      }
  );

/** The names a filter uses in the address. */
export const filterNames = (filter: Filter): readonly string[] => {
  if (filter.kind === 'own') return filter.names;
  return filter.kind === 'time' ? [`${filter.id}_from`, `${filter.id}_to`] : [filter.id];
};
