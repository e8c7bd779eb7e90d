import { z } from 'zod';
import { makeToken } from '../support/operator.ts';
import type { Dice } from './dice.ts';
import { type BackgroundSeen, backgroundCall } from './background-load.ts';
import { newCode, newTopUp, type Wallets, type WalletSeen } from './wallet-load.ts';

export const CRASH_MODEL = 'gpt-4o-mini';
/** A model with streams so long that their holds grow, and a silent first channel, so that a second attempt races the first. */
export const LONG_MODEL = 'gpt-long';
/** Its upstream name at the channel that answers: 3,000 pieces, unpaced. Counted by bytes they are twice as many tokens. */
export const LONG_ANSWER = 'chunks-3000-0';
/** Its upstream name at the silent channel. */
export const SILENT_ANSWER = 'fault-hang-before-headers';
/** The quota of a new account. After the crash every acknowledged account must still exist, with exactly this quota. */
export const NEW_USER_QUOTA = 1_234_567;

/** What the callers saw in one round until the server died. */
export interface Seen extends WalletSeen, BackgroundSeen {
  /** Calls whose complete answer arrived: the price by its usage, by request id. */
  readonly whole: Map<string, number>;
  /** Request ids of calls whose answer began. */
  readonly begun: Set<string>;
  readonly registered: string[];
  readonly tokenIds: number[];
}

export interface LoadOptions extends Wallets {
  readonly url: string;
  readonly key: string;
  readonly dice: Dice;
  readonly round: number;
  readonly callers: number;
  /** After this is aborted, nothing new is started. */
  readonly over: AbortSignal;
}

const REQUEST_ID_HEADER = 'x-oneapi-request-id';

/** Acts as callers, admins and new users at once, until `over` is aborted or the server is gone. */
export const runLoad = async (options: LoadOptions): Promise<Seen> => {
  const seen: Seen = {
    whole: new Map(),
    begun: new Set(),
    background: new Map(),
    registered: [],
    tokenIds: [],
    redeemed: [],
    paid: [],
  };
  let act = 0;
  const one = async (): Promise<void> => {
    while (!options.over.aborted) {
      act++;
      // Failures here come from the crash; the guarantees are checked in the database afterwards.
      await oneAct(options, seen, act).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: options.callers }, one));
  return seen;
};

/** Usually a call; sometimes another act that moves quota or must survive the crash. */
const oneAct = (options: LoadOptions, seen: Seen, act: number): Promise<void> => {
  const share = options.dice.unit();
  if (share < 0.4) return wholeCall(options, seen);
  if (share < 0.45) return backgroundCall(options, seen, CRASH_MODEL, options.dice.between(0, 500));
  if (share < 0.6) return streamedCall(options, seen, false);
  if (share < 0.68) return streamedCall(options, seen, options.dice.unit() < 0.5, LONG_MODEL);
  if (share < 0.78) return convertedCall(options, seen);
  if (share < 0.9) return streamedCall(options, seen, true);
  if (share < 0.92) return newUser(options, seen, act);
  if (share < 0.95) return newCode(options, seen, `r${options.round}c${act}`);
  if (share < 0.98) return newTopUp(options, seen);
  return newToken(options, seen);
};

const usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });
const wholeReply = z.object({ usage });
const messageUsage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

/**
 * A prompt with more tokens than our count by bytes assumes, so that the checkpoint of a running call, which uses that
 * count, is never above the call's price.
 */
const PROMPT = 'write a program that sorts a b c d e f g h i j k l m n o p q r s t';

const chat = (options: LoadOptions, model: string, stream: boolean, signal: AbortSignal): Promise<Response> =>
  fetch(`${options.url}/v1/chat/completions`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      ...(model === CRASH_MODEL ? { max_tokens: options.dice.between(1, 80) } : {}),
      messages: [{ role: 'user', content: PROMPT }],
    }),
  });

const begin = (response: Response, seen: Seen): string => {
  const id = response.headers.get(REQUEST_ID_HEADER) ?? '';
  if (response.ok) seen.begun.add(id);
  return id;
};

/** One unit for each token, input and output. */
const priceOf = (used: z.infer<typeof usage>): number => used.prompt_tokens + used.completion_tokens;

const wholeCall = async (options: LoadOptions, seen: Seen): Promise<void> => {
  const response = await chat(options, CRASH_MODEL, false, AbortSignal.timeout(10_000));
  const id = begin(response, seen);
  const reply = wholeReply.parse(await response.json());
  seen.whole.set(id, priceOf(reply.usage));
};

/** The end of a stream, with its usage. */
const TAIL_CHARACTERS = 4096;

const streamedCall = async (
  options: LoadOptions,
  seen: Seen,
  leaves: boolean,
  model = CRASH_MODEL,
): Promise<void> => {
  const leaving = new AbortController();
  const response = await chat(options, model, true, leaving.signal);
  const id = begin(response, seen);
  const patience = options.dice.between(1, 20);
  let text = '';
  let parts = 0;
  for await (const part of response.body ?? []) {
    text = (text + Buffer.from(part).toString()).slice(-TAIL_CHARACTERS);
    if (leaves && ++parts >= patience) {
      leaving.abort();
      return;
    }
    // The end mark proves the whole answer arrived, whatever happens to the connection.
    const last = /"usage":(\{"prompt_tokens".*\})\}\n\ndata: \[DONE\]/.exec(text)?.[1];
    if (last !== undefined) seen.whole.set(id, priceOf(usage.parse(JSON.parse(last))));
  }
};

/** A stream whose upstream speaks another format. */
const convertedCall = async (options: LoadOptions, seen: Seen): Promise<void> => {
  const response = await fetch(`${options.url}/v1/messages`, {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
    headers: { 'x-api-key': options.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: CRASH_MODEL,
      stream: true,
      max_tokens: options.dice.between(1, 80),
      messages: [{ role: 'user', content: PROMPT }],
    }),
  });
  const id = begin(response, seen);
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    if (!text.endsWith('"type":"message_stop"}\n\n')) continue;
    const last = /"usage":(\{.*\})\}\n\nevent: message_stop/.exec(text)?.[1];
    const { input_tokens, output_tokens } = messageUsage.parse(JSON.parse(last ?? '{}'));
    seen.whole.set(id, input_tokens + output_tokens);
  }
};

const newUser = async ({ url, round }: LoadOptions, seen: Seen, act: number): Promise<void> => {
  const username = `r${round}a${act}`;
  const response = await fetch(`${url}/api/user/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'long enough' }),
    signal: AbortSignal.timeout(10_000),
  });
  const { success } = z.object({ success: z.boolean() }).parse(await response.json());
  if (success) seen.registered.push(username);
};

/** Creates a limited token and changes its budget: two acknowledged changes. */
const newToken = async ({ operator, dice }: LoadOptions, seen: Seen): Promise<void> => {
  const { id } = await makeToken(operator, {
    unlimited_quota: false,
    remain_quota: dice.between(1, 1_000_000),
  });
  await operator.call('/api/token', {
    method: 'PUT',
    body: { id, remain_quota: dice.between(1, 1_000_000) },
  });
  seen.tokenIds.push(id);
};
