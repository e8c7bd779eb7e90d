import { useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** `isRange`: and all rows from the one selected last. */
  readonly toggle: (id: number, isRange?: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

interface State {
  readonly ids: ReadonlySet<number>;
  /** The row that was selected last, where a range with Shift starts. */
  readonly anchor: number | undefined;
}

const NONE: State = { ids: new Set(), anchor: undefined };

/** The selected rows; rows that are no longer shown are deselected. */
export const useSelection = (shown: readonly number[]): Selection => {
  const [state, setState] = useState(NONE);
  const ids = stillShown(state.ids, shown);
  // Else they would be selected again when they are back.
  if (ids.size < state.ids.size) setState({ ...state, ids });
  return {
    ids,
    toggle: (id, isRange = false) => setState(toggled({ ids, anchor: state.anchor }, id, { shown, isRange })),
    toggleAll: () =>
      setState({ ids: ids.size === shown.length ? new Set() : new Set(shown), anchor: undefined }),
    clear: () => setState(NONE),
  };
};

const stillShown = (ids: ReadonlySet<number>, shown: readonly number[]): ReadonlySet<number> =>
  ids.size === 0 ? ids : new Set(shown.filter((id) => ids.has(id)));

/** Toggles a row; with Shift, every row between the last selected one and this one becomes like this one. */
export const toggled = (
  state: State,
  id: number,
  { shown, isRange = false }: { readonly shown: readonly number[]; readonly isRange?: boolean },
): State => {
  const ids = new Set(state.ids);
  const isChosen = !ids.has(id);
  const from = isRange && state.anchor !== undefined ? shown.indexOf(state.anchor) : -1;
  const to = shown.indexOf(id);
  const range = from === -1 ? [id] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  for (const one of range) {
    if (isChosen) ids.add(one);
    else ids.delete(one);
  }
  return { ids, anchor: id };
};
