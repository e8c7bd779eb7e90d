/** One page of a list: `page` counts from 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  /** Undefined means the list's default order. */
  readonly sort?: PageSort | undefined;
}

/** What a list is sorted by. */
export interface PageSort {
  /** A key that the list knows; unknown keys have no effect. */
  readonly key: string;
  readonly isDescending: boolean;
}

/** One page of a list, with the length of the whole list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
