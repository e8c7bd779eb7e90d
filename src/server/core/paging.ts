/** One page of a list: `page` counts from 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
