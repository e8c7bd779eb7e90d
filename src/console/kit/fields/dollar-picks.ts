/** Dollars to pick an amount from. Source: specification, constants. */
export const DOLLAR_PICKS = [1, 10, 50, 100, 500, 1000] as const;
