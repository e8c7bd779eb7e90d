/** What is sent for a model of which nothing is set, or that is to lose what was. */
export const NO_PRICE = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};
