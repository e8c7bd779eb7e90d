import type { Channel } from '#core/channel/channel.ts';
import { mapModel } from '#core/channel/mapping.ts';
import { AppError } from '#core/error.ts';

/** The upstream's name of the model at this channel. Throws where the operator's mapping goes in a circle. */
export const upstreamModel = (channel: Channel, model: string): string => {
  const result = mapModel(channel.modelMapping, model);
  if ('model' in result) return result.model;
  throw new AppError('internal', 'the model mapping of this channel goes in a circle', {
    reason: 'model_mapped_error',
  });
};
