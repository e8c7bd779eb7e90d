import { channelOf } from '../../src/server/core/channel/testing/channel.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { Secret } from '../../src/server/core/secrets/secret.ts';
import type { Frame } from '../../src/server/dialects/frame.ts';
import { readFrames } from '../../src/server/dialects/sse.ts';
import { providerOf } from '../../src/server/providers/registry.ts';
import type { Rig, RigChannel } from '../faults/rig.ts';
import { callerRequest } from '../support/caller-request.ts';
import { saidIn } from '../support/said.ts';
import { checkClass, difference, type Problem, contentReceived } from './check.ts';
import type { ReplyContent } from './meaning/reply-content.ts';
import { recordedAnswer } from './recorded-answer.ts';
import type { Recording } from './recordings.ts';
import type { Replayed } from './replay.ts';

/** A recorded format that no caller speaks, and the channel that calls its upstream. */
interface Kind {
  readonly type: number;
  readonly key: string;
  /** The model to ask for, where the address contains it; not the recorded one. */
  readonly model: string;
  /** Matches the recorded path, where one endpoint has several formats. */
  readonly requested?: RegExp;
}

const AWS = { type: 33, key: 'AKID|secret|us-east-1' };
const CONVERSE: Kind = { ...AWS, model: 'amazon.nova-pro-v1:0' };
const INVOKE: Kind = {
  ...AWS,
  model: 'anthropic.claude-3-haiku-20240307-v1:0',
  requested: /\/model\/[\w.]*anthropic\.claude-(?!instant|v2)/,
};
const kinds: Readonly<Record<string, Kind>> = {
  'bedrock.converse': CONVERSE,
  'bedrock.converseStream': CONVERSE,
  'bedrock.invoke': INVOKE,
  'bedrock.invokeStream': INVOKE,
  'cohere.chat': { type: 34, key: 'k', model: 'command-a' },
  'tencent.ChatCompletions': { type: 23, key: '1|id|key', model: 'hunyuan' },
};

/** A recorded chat in its provider's own format. */
export interface OwnExchange extends Replayed {
  readonly kind: Kind;
  readonly model: string;
  readonly provider: string;
  readonly format: string;
  readonly stream: boolean;
}

/** Undefined for a recording in any other format. */
export const ownChatIn = (recording: Recording, model: string): OwnExchange | undefined => {
  const kind = kinds[recording.endpoint];
  if (kind === undefined || kind.requested?.test(recording.request?.path ?? '') === false) return undefined;
  return { ...recordedAnswer(recording), kind, model };
};

/** The channel that replays it. */
export const ownChannel = ({ kind, model }: OwnExchange, baseUrl: string): RigChannel => ({
  type: kind.type,
  baseUrl,
  encryptedKey: kind.key,
  models: model,
  modelMapping: JSON.stringify({ [model]: kind.model }),
  autoDisable: false,
});

/** The content of the recorded answer, read with its provider's own format. */
const upstreamContent = async ({ kind, stream, answer }: OwnExchange): Promise<ReplyContent> => {
  const provider = providerOf(kind.type);
  const format =
    provider?.dialectFor?.(kind.model, channelOf(kind.type, { key: new Secret(kind.key) })) ??
    provider?.dialect;
  if (format === undefined) throw new Error('no provider');
  if (!stream)
    return { ...saidIn(format.readWhole(JSON.parse(answer.bytes.toString()))), reasoning: undefined };
  async function* bytes() {
    yield answer.bytes;
  }
  const frames: Frame[] = [];
  for await (const frame of provider?.frames?.(bytes()) ?? readFrames(bytes())) frames.push(frame);
  const reader = format.openReader();
  const events = [...frames.flatMap((frame) => reader.read(frame)), ...reader.end()];
  return { ...saidIn(events), reasoning: undefined };
};

const MOST_MS = 45_000;

/** A caller of this format must get the recorded content, or the recorded refusal as an error. */
export const checkOwn = async (rig: Rig, exchange: OwnExchange, caller: DialectName): Promise<Problem> => {
  const { model, stream } = exchange;
  const { path, body } = callerRequest(caller, model, { stream });
  const asksForUsage = caller === 'openai-chat' && stream;
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(asksForUsage ? { ...body, stream_options: { include_usage: true } } : body),
    signal: AbortSignal.timeout(MOST_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (exchange.status >= 400) return refused(response.status, bytes, exchange, caller);
  const upstream = await upstreamContent(exchange);
  if (upstream.error !== undefined)
    return bytes.includes('error') ? undefined : 'the error does not reach the caller';
  if (response.status !== 200) return `status ${String(response.status)}: ${bytes.toString().slice(0, 300)}`;
  return difference(caller, upstream, contentReceived(caller, bytes));
};

const refused = (
  status: number,
  bytes: Buffer,
  exchange: OwnExchange,
  caller: DialectName,
): string | undefined => {
  if (status < 400) return `a refusal became ${String(status)}`;
  const { error } = JSON.parse(bytes.toString()) as { error?: { message?: unknown } };
  if (typeof error?.message !== 'string' || error.message === '') return 'the error has no message';
  // These providers use words of their own, so the status decides.
  return checkClass(status, bytes, { ...exchange, format: 'openai-chat' }, caller);
};
