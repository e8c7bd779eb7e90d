import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { Secret } from '../../src/server/core/secret.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Frame } from '../../src/server/dialects/frame.ts';
import { readFrames } from '../../src/server/dialects/sse.ts';
import { providerOf } from '../../src/server/providers/registry.ts';
import { channelOf } from '../../src/server/core/channel/testing/channel.ts';
import { difference, type Problem } from '../conformance/check.ts';
import { type Replayed, startReplay } from '../conformance/replay.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { callerRequest } from '../support/caller-request.ts';
import { formats } from '../support/one-format.ts';
import { eventsOf, type Said, saidIn } from '../support/said.ts';

/** Recorded traffic of upstreams with formats of their own, told to callers of each of the four. */

const recordings = process.env['TOLLGATE_RECORDINGS'];
const folder = join(recordings ?? '', 'exchanges');

interface Kind {
  readonly type: number;
  readonly key: string;
  readonly files: RegExp;
  /** Another name than the recorded one, where the address says the model. */
  readonly model: string;
  readonly requested?: RegExp;
}
const kinds: Readonly<Record<string, Kind>> = {
  'Converse at Bedrock': {
    type: 33,
    key: 'AKID|secret|us-east-1',
    files: /^bedrock\.bedrock\.converse(?:Stream)?\./,
    model: 'amazon.nova-pro-v1:0',
  },
  'Claude at Bedrock': {
    type: 33,
    key: 'AKID|secret|us-east-1',
    files: /^bedrock\.bedrock\.invoke(?:Stream)?\./,
    model: 'anthropic.claude-3-haiku-20240307-v1:0',
    requested: /\/model\/[\w.]*anthropic\.claude-(?!instant|v2)/,
  },
  Cohere: { type: 34, key: 'k', files: /^cohere\.cohere\.chat\.(?:stream|unary)\./, model: 'command-a' },
  Tencent: { type: 23, key: '1|id|key', files: /^tencent\.tencent\.ChatCompletions\./, model: 'hunyuan' },
};

interface Recording {
  readonly id: string;
  readonly stream: boolean;
  readonly request: { readonly path?: string } | null;
  readonly response: {
    readonly status: number;
    readonly body?: unknown;
    readonly sse?: string;
    readonly base64?: string;
  };
}
interface Exchange extends Replayed {
  readonly kind: Kind;
  readonly stream: boolean;
}

const pageOf = ({ body, sse, base64 }: Recording['response']): Replayed['answer'] => {
  if (base64 !== undefined)
    return { contentType: 'application/vnd.amazon.eventstream', bytes: Buffer.from(base64, 'base64') };
  return sse === undefined
    ? { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }
    : { contentType: 'text/event-stream', bytes: Buffer.from(sse) };
};

const load = (kind: Kind): Exchange[] =>
  readdirSync(folder)
    .filter((name) => kind.files.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording)
    .filter(({ request }) => kind.requested?.test(request?.path ?? '') ?? true)
    .map(({ id, stream, response }) => ({
      id,
      kind,
      stream: stream && response.body === undefined,
      status: response.status,
      answer: pageOf(response),
    }));

const exchanges = existsSync(folder) ? Object.values(kinds).flatMap(load) : [];

/** What the recorded answer says, read by its provider's own format. */
const upstreamSaid = async ({ kind, stream, answer }: Exchange) => {
  const provider = providerOf(kind.type);
  const format =
    provider?.dialectFor?.(kind.model, channelOf(kind.type, { key: new Secret(kind.key) })) ??
    provider?.dialect;
  if (format === undefined) throw new Error('no provider');
  if (!stream) return saidIn(format.readWhole(JSON.parse(answer.bytes.toString())));
  async function* bytes() {
    yield answer.bytes;
  }
  const frames: Frame[] = [];
  for await (const frame of provider?.frames?.(bytes()) ?? readFrames(bytes())) frames.push(frame);
  const reader = format.openReader();
  return saidIn([...frames.flatMap((frame) => reader.read(frame)), ...reader.end()]);
};

let replay: Awaited<ReturnType<typeof startReplay>>;
let rig: Rig;

beforeAll(async () => {
  replay = await startReplay(exchanges);
  rig = await startRig(
    exchanges.map((exchange) => ({
      type: exchange.kind.type,
      baseUrl: replay.addressOf(exchange),
      encryptedKey: exchange.kind.key,
      models: exchange.id,
      modelMapping: JSON.stringify({ [exchange.id]: exchange.kind.model }),
      autoDisable: false,
    })),
    { ModelRatio: Object.fromEntries(exchanges.map(({ id }) => [id, 1])), RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  await replay.stop();
});

const ask = async (caller: DialectName, { id, stream }: Exchange) => {
  const { path, body } = callerRequest(caller, id, stream);
  const isAsked = caller === 'openai-chat' && stream;
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(isAsked ? { ...body, stream_options: { include_usage: true } } : body),
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

const problemOf = async (
  caller: DialectName,
  { stream }: Exchange,
  upstream: Said,
  status: number,
  bytes: Buffer,
): Promise<Problem> => {
  if (upstream.error !== undefined) return bytes.includes('error') ? undefined : 'the error is not told';
  if (status !== 200) return bytes.toString();
  return difference(caller, upstream, saidIn(await eventsOf(chatDialects[caller], bytes, stream)));
};

const answers = exchanges.filter(({ status }) => status === 200);

describe.skipIf(exchanges.length === 0).each(formats)(
  'recordings for a caller of %s (needs TOLLGATE_RECORDINGS)',
  (caller) => {
    test('is told what each of them said', async () => {
      const problems: unknown[] = [];
      for (const exchange of answers) {
        const upstream = await upstreamSaid(exchange);
        const { status, bytes } = await ask(caller, exchange);
        const problem = await problemOf(caller, exchange, upstream, status, bytes);
        // A difference that has a reason is no text.
        if (typeof problem === 'string') problems.push({ id: exchange.id, problem });
      }
      expect(answers.length).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    });

    test('is told of their refusals as such', async () => {
      for (const exchange of exchanges.filter(({ status }) => status >= 400)) {
        const { status, bytes } = await ask(caller, exchange);
        const { error } = JSON.parse(bytes.toString()) as { error?: { message?: unknown } };
        expect({ id: exchange.id, failed: status >= 400, message: error?.message }).toEqual({
          id: exchange.id,
          failed: true,
          message: expect.stringMatching(/./) as string,
        });
      }
    });
  },
);
