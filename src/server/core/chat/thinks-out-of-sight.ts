/**
 * Names of OpenAI's reasoning models (developers.openai.com/api/docs, reasoning; as of November 2026). They never show
 * their thoughts: only the last usage report says how many tokens those took.
 */
const THINKS = /^(?:o[1-9]|gpt-[5-9])(?!.*-chat)/;

/** Whether a model of this name hides its thoughts. Gateways put the maker in front of the name. */
export const thinksOutOfSight = (model: string): boolean =>
  THINKS.test(model.slice(model.lastIndexOf('/') + 1));
