/** One page of a list: `page` counts from 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  /** Undefined for the list's own order. */
  readonly sort?: PageSort | undefined;
}

/** By what a list is sorted. */
export interface PageSort {
  /** A name that the list knows; others change nothing. */
  readonly key: string;
  readonly isDescending: boolean;
}

/** One page of a list, and how long the whole list is. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
