import type { ChatRequest } from '#core/chat/request.ts';
import { requireSayable } from '#core/chat/require-sayable.ts';
import { unsayableTool } from '#core/chat/unsayable-tool.ts';

/**
 * Throws `invalid_request`, naming the field, for what only upstreams of another format have: conversations they keep,
 * tools they run themselves. Left out in silence the answer would be another one.
 */
export const requireNative = (request: ChatRequest, target: string): void => {
  requireSayable(request, target);
  for (const [index, tool] of (request.tools ?? []).entries()) {
    const refusal = unsayableTool(tool, index, target);
    if (refusal !== undefined) throw refusal;
  }
};
