import type { Decision } from '#core/channel/select.ts';
import { AppError } from '#core/error.ts';
import { known, type Running } from './running.ts';
import { noChannel } from './usable-models.ts';

/** Why no channel takes the call: none is there, none that is offers such calls, or all take shorter prompts only. */
export const nobodyTakes = (running: Running, { leftOut }: Decision): AppError => {
  const { model, inputTokensEstimate } = known(running.asked, 'read').facts;
  const { operation } = running.call;
  const isNowhere = leftOut.length > 0 && leftOut.every(({ reason }) => reason === 'unsupported_operation');
  // It will not be there in a moment either: clients must not try again.
  if (operation !== 'chat' && isNowhere)
    return new AppError('not_implemented', `no channel of model ${model} offers such calls (${operation})`, {
      reason: 'api_not_implemented',
    });
  if (!leftOut.some(({ reason }) => reason === 'too_long')) return noChannel([running.group], model);
  const message = `the prompt is about ${String(inputTokensEstimate)} tokens, more than any available channel takes`;
  return new AppError('invalid_request', message, { reason: 'context_length_exceeded' });
};
