import { heldWholeBy } from '#core/chat/held-whole.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { requireSayable } from '#core/chat/require-sayable.ts';
import { AppError } from '#core/error.ts';

/**
 * Throws `invalid_request`, naming the field, for what only upstreams of another format have: conversations they keep,
 * tools they run themselves. Left out in silence the answer would be another one.
 */
export const requireNative = (request: ChatRequest, target: string): void => {
  requireSayable(request, target);
  for (const [index, { name, extras, parameters }] of (request.tools ?? []).entries()) {
    const holder = heldWholeBy(extras);
    if (holder === undefined || holder === target || parameters !== undefined) continue;
    const message = `'tools.${String(index)}': the tool '${name}' only exists in the ${holder} format`;
    throw new AppError('invalid_request', message, {
      param: `tools.${String(index)}`,
      reason: 'unsupported_tool',
    });
  }
};
