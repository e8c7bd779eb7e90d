import type { ChatRequest } from './request.ts';

/** The same request with an answer limit of this many tokens, thoughts included. */
export const withOutputLimit = (request: ChatRequest, limit: number): ChatRequest => {
  const { maxOutputTokens = Infinity, reasoning } = request;
  const budget = reasoning?.budgetTokens;
  return {
    ...request,
    maxOutputTokens: Math.min(maxOutputTokens, limit),
    ...(reasoning !== undefined &&
      budget !== undefined &&
      budget > limit && { reasoning: { ...reasoning, budgetTokens: Math.floor(limit / 2) } }),
  };
};
