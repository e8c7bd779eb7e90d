import type * as contract from '#contract/api/site/availability.ts';
import type { createPublicAvailability } from '../../../control/site/availability.ts';
import type { Handlers } from '../../handler.ts';

/** The availability of models, for everybody. */
export const availabilityHandlers = (
  read: ReturnType<typeof createPublicAvailability>,
): Handlers<typeof contract> => ({
  readAvailability: async ({ query: { span } }) => {
    const { stretch, fromS, readAtS, models, more } = await read(span);
    return {
      span,
      step_seconds: stretch,
      from: fromS,
      read_at: readAtS,
      models: models.map(({ model, percent, bars, firstTokenMs }) => ({
        model,
        percent: percent ?? null,
        bars: bars.map((one) => one ?? null),
        first_token_ms: firstTokenMs ?? null,
      })),
      more,
    };
  },
});
