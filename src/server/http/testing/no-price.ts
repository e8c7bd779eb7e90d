/** Objects that some upstreams merge into the request. */
export const NO_PRICE = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};
