import type { Wire } from '../../dialects/dialect.ts';
import type { CallerRequest } from './request.ts';

// Stands alone: both threads that read requests need it.

/** How many tokens the prompt surely has less than its quick estimate says. Reads every letter of it. */
export const spareTokens = (
  wire: Pick<Wire, 'facts'>,
  { form, fields }: Pick<CallerRequest, 'form' | 'fields'>,
): number => {
  if (form !== undefined) return 0;
  const { inputTokensEstimate } = wire.facts(fields);
  return Math.max(0, inputTokensEstimate - wire.facts(fields, 'closely').inputTokensEstimate);
};
