import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './limits.ts';

/** Higher pages are empty, and offsets stay exact. */
const MAX_PAGE = 10_000_000;

// Clients of this family send any value and expect a page, so nothing is refused.
const whole = z.coerce.number().int();
const size = whole
  .catch(DEFAULT_PAGE_SIZE)
  .transform((rows) => (rows < 1 ? undefined : Math.min(rows, MAX_PAGE_SIZE)))
  .optional()
  .meta({ minimum: 1, maximum: MAX_PAGE_SIZE });

/**
 * The requested page. An invalid page (0, negative, text) becomes the first, an invalid size the default, too large a
 * size the maximum. `ps` and `size` are older names of `page_size`.
 */
export const pageQuery = {
  p: whole
    .catch(1)
    .transform((page) => Math.min(Math.max(1, page), MAX_PAGE))
    .prefault(1)
    .meta({ default: 1, minimum: 1, maximum: MAX_PAGE }),
  page_size: size,
  ps: size,
  size,
};

/** What a list can be sorted by: a column's name, with `-` before it for the largest first; others change nothing. */
export const sortQuery = (...columns: readonly string[]) => ({
  sort: z
    .string()
    .regex(new RegExp(`^-?(${columns.join('|')})$`))
    .optional()
    .catch(undefined),
});

/** The paging fields of a query, with all names of the page size that clients use. */
export interface PageQuery {
  readonly p: number;
  readonly page_size?: number | undefined;
  readonly ps?: number | undefined;
  readonly size?: number | undefined;
  readonly sort?: string | undefined;
}

/** The page size, under any of its names. */
export const sizeOf = (query: PageQuery): number =>
  query.page_size ?? query.ps ?? query.size ?? DEFAULT_PAGE_SIZE;

/** `{items, total, page, page_size}`: the result shape of every list. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.number(), page: z.number(), page_size: z.number() });
