import type { ChatRequest, PlainToolChoice } from './request.ts';

/** A request whose tool choice names at most one tool. */
export type NarrowRequest = Omit<ChatRequest, 'toolChoice'> & { readonly toolChoice?: PlainToolChoice };

/** The request for an upstream that cannot be restricted to some of its tools: it gets only the allowed ones. */
export const narrowTools = (request: ChatRequest): NarrowRequest => {
  const { toolChoice, ...rest } = request;
  if (toolChoice === undefined) return rest;
  if (typeof toolChoice === 'string' || 'name' in toolChoice) return { ...rest, toolChoice };
  const { allowed, mode } = toolChoice;
  const { tools: all, ...others } = rest;
  const tools = all?.filter(({ name }) => allowed.includes(name)) ?? [];
  return tools.length === 0 ? others : { ...others, tools, toolChoice: mode };
};
