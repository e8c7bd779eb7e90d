import type { Channel } from '#core/channel/channel.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Delivery } from '#core/delivery.ts';
import type { AppError } from '#core/error.ts';

/** A call an admin makes to see what an upstream says. */
export interface Addressed {
  readonly operation: 'chat' | 'embeddings' | 'models';
  readonly model: string;
  readonly stream: boolean;
  /** The format a chat is sent in. */
  readonly dialect?: string;
}

/** What is needed of a format to try it. */
export interface ProbedFormat {
  readonly name: string;
  writeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  readError(status: number, body: unknown): AppError;
  parseWhole?(bytes: Buffer): unknown;
  tapWhole(body: unknown): { readonly usage?: Usage; readonly error?: AppError };
}

/** What is needed of a provider here; every `Provider` is one. */
export interface ProbedUpstream extends Delivery {
  readonly operations: readonly string[];
  readonly dialect: ProbedFormat;
  dialectFor?(model: string, channel: Channel): ProbedFormat | undefined;
  betterFor?(model: string, caller: string): ProbedFormat | undefined;
  address(
    channel: Channel,
    call: Addressed,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  adjust?(
    body: Readonly<Record<string, unknown>>,
    call: Addressed,
    channel: Channel,
  ): Readonly<Record<string, unknown>>;
  readModels?(body: unknown): string[];
  readError?(status: number, body: unknown): AppError;
}
