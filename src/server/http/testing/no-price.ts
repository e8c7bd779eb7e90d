/** The fields of a model without prices, or whose prices are to be removed. */
export const NO_PRICE = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};
