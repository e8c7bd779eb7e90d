import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './limits.ts';

/** Beyond it every list is empty, and offsets stay exact. */
const MAX_PAGE = 10_000_000;

// Clients of this family send what they like and expect a page: nothing here is refused.
const whole = z.coerce.number().int();
const size = whole
  .catch(DEFAULT_PAGE_SIZE)
  .transform((rows) => (rows < 1 ? undefined : Math.min(rows, MAX_PAGE_SIZE)))
  .optional()
  .meta({ minimum: 1, maximum: MAX_PAGE_SIZE });

/**
 * A page as it is asked for. What is no page (0, negative, text) is the first one, what is no size the usual one, and a
 * larger one the largest. `ps` and `size` are older names of `page_size`.
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

export interface PageQuery {
  readonly p: number;
  readonly page_size?: number | undefined;
  readonly ps?: number | undefined;
  readonly size?: number | undefined;
}

/** How many rows a page has, whichever name it was sent under. */
export const sizeOf = (query: PageQuery): number =>
  query.page_size ?? query.ps ?? query.size ?? DEFAULT_PAGE_SIZE;

/** `{items, total, page, page_size}`: the one shape every list answers in. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.number(), page: z.number(), page_size: z.number() });
