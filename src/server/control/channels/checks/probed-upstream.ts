import type { Channel } from '#core/channel/channel.ts';
import type { Delivery } from '#core/delivery.ts';
import type { AppError } from '#core/error.ts';

/**
 * The parts of an upstream needed to list its models and to see whether it can be tested; every `Upstream` has them.
 */
export interface ProbedUpstream extends Pick<Delivery, 'authorize' | 'forgetToken'> {
  readonly offers: Readonly<Partial<Record<'chat' | 'embeddings' | 'models', object>>>;
  readonly dialect: { readError(status: number, body: unknown): AppError };
  address(
    channel: Channel,
    call: { readonly operation: 'models'; readonly model: string; readonly stream: boolean },
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readModels?(body: unknown): string[];
  readError?(status: number, body: unknown): AppError;
}
