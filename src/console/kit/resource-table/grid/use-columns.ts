import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import type { Column } from '../column.ts';

export interface ColumnChoice<Row> {
  readonly shown: readonly Column<Row>[];
  readonly isShown: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** The ids that differ from the default. */
  readonly changed: readonly string[];
  readonly choose: (changed: readonly string[]) => void;
}

/** The user's choice of columns, stored under `columns:<table>` as the ids that differ from the default. */
export const useColumns = <Row>(table: string, columns: readonly Column<Row>[]): ColumnChoice<Row> => {
  const key = `columns:${table}`;
  const [changed, setChanged] = useState<readonly string[]>(() => readIds(key));
  const isShown = (id: string): boolean => {
    const isOptional = columns.find((column) => column.id === id)?.optional === true;
    return isOptional === changed.includes(id);
  };
  const choose = (next: readonly string[]): void => {
    store(key, next.length === 0 ? undefined : JSON.stringify(next));
    setChanged(next);
  };
  return {
    changed,
    choose,
    shown: columns.filter((column) => isShown(column.id)),
    isShown,
    toggle: (id) => choose(changed.includes(id) ? changed.filter((one) => one !== id) : [...changed, id]),
  };
};

const readIds = (key: string): readonly string[] => {
  const value = readStoredJson(key);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
};
