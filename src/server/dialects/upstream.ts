import type { OptionValues } from '#contract/options.ts';
import type { BalanceReader } from '#core/channel/balance.ts';
import type { PriceReader } from '#core/channel/price-reader.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Delivery } from '#core/delivery.ts';
import type { AppError } from '#core/error.ts';
import type { Operation } from '#core/operation.ts';
import type { Dialect, Egress } from './dialect.ts';
import type { Frame } from './frame.ts';
import type { Fields } from '#core/json/fields.ts';

/** What an upstream needs to know about a call. */
export interface UpstreamCall {
  readonly operation: Operation;
  /** The upstream's name of the model, after mapping. */
  readonly model: string;
  readonly stream: boolean;
  /** The format in which a chat is sent: the name of `dialect` or of one of `natives`. Default: `dialect`. */
  readonly dialect?: string;
  /** The body is the caller's own in the same format: change only what the upstream would refuse. */
  readonly isRepeated?: boolean;
  /** The operator's settings for model families. Default: their initial values. */
  readonly options?: OptionValues;
  /** The caller's headers, lower-case names; some providers pass a few of them on. */
  readonly callerHeaders?: Readonly<Record<string, string | string[] | undefined>>;
}

/** How an upstream offers one operation; empty if nothing differs. */
export interface Offer {
  /** Callers send a form, and the upstream takes JSON: `write` gets the files in memory and drops `$files`. */
  readonly formAsJson?: true;
  /** Writes the body to send from one in the call's format. */
  readonly write?: (body: Fields, call: UpstreamCall, channel: Channel) => Fields;
  /** Reads a whole reply, other than a chat, into the caller's format; `asked` is its request. Default: unchanged. */
  readonly read?: (body: unknown, call: UpstreamCall, asked: Fields) => unknown;
  /** Fetches the reply if that takes more than one request. Throws only `AppError`s. */
  readonly deliver?: NonNullable<Delivery['deliver']>;
}

export interface Address {
  readonly url: string;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One provider's upstream: its dialects, operations, addresses and peculiarities. */
export interface Upstream extends Pick<Delivery, 'authorize' | 'forgetToken'> {
  /** The format of its chat; other operations repeat the caller's bytes. */
  readonly dialect: Egress;
  /**
   * The format for a model (by the upstream's name) or a channel's key, in place of `dialect` and `natives`. Undefined
   * if those apply.
   */
  dialectFor?(model: string, channel: Channel): Egress | undefined;
  /**
   * A native format in which a model can do more than in `dialect`, or the model's only one; for callers of the format
   * `caller`, whose requests are converted. If a channel turns out to lack it, `dialect` is used.
   */
  betterFor?(model: string, caller: string): Egress | undefined;
  /** Further chat formats that it accepts: callers of these have their bytes passed through. */
  readonly natives?: readonly Dialect[];
  /** The operations it offers; it gets no others. */
  readonly offers: Readonly<Partial<Record<Operation, Offer>>>;
  /** It needs more than a body of the format: `write` is called even if bodies are passed through. */
  readonly hasOwnEnvelope?: true;
  address(channel: Channel, call: UpstreamCall): Address;
  /** Splits a stream into frames, whose `raw` are server-sent events. Default: server-sent events. */
  frames?(bytes: AsyncIterable<Buffer>): AsyncIterable<Frame>;
  /** Its known models, until its own list is fetched. Default: those of the price catalogue. */
  readonly models?: readonly string[];
  /** The prefix of its models in the catalogue. */
  readonly modelPrefix?: string;
  /** Reads the reply of the `models` operation. Default: OpenAI's list. */
  readModels?(body: unknown): string[];
  /** Reads its errors, in the format of this name (default: `dialect`). Default: the format's own. */
  readError?(status: number, body: unknown, retryAfter?: string, format?: string): AppError;
  /** Interprets an error inside a 200 by the provider's own codes. Default: as the dialect read it. */
  readErrorInside?(error: AppError): AppError;
  /** Reads the account's balance; absent if there is no API for it. */
  readonly balance?: BalanceReader;
  /** Reads what it asks for its models; absent if there is no API for it. */
  readonly prices?: PriceReader;
}

/** The body to send to this upstream; the same object if nothing changes. */
export const writtenFor = (
  { offers }: Pick<Upstream, 'offers'>,
  body: Fields,
  call: UpstreamCall,
  channel: Channel,
): Fields => {
  const write = offers[call.operation]?.write;
  if (write === undefined) return body;
  // A field without a value asks for nothing; chats are written by their formats, which know that.
  return write(call.operation === 'chat' ? body : withoutNulls(body), call, channel);
};

const withoutNulls = (body: Fields): Fields =>
  Object.values(body).includes(null)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body;

/** How the reply to an operation is delivered. */
export const deliveryOf = (upstream: Upstream, operation: Operation): Delivery => {
  const deliver = upstream.offers[operation]?.deliver;
  return deliver === undefined ? upstream : { ...upstream, deliver };
};
