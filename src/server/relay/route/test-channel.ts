import { AwakeTimer } from '#core/time/awake-timer.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import {
  type ChannelTestCall,
  type ChannelTestReport,
  TEST_TIMEOUT_MS,
  type TestChannel,
} from '#core/channel/channel-test.ts';
import { tooLate } from '#core/channel/health/patience.ts';
import { noUsage } from '#core/chat/usage.ts';
import { asAppError } from '#core/error.ts';
import type { Frame } from '../../dialects/frame.ts';
import { ChannelHealth } from './health/channel-health.ts';
import { KeyUses } from './key-uses.ts';
import { LivePulses } from './live-pulses.ts';
import { eachPiece } from '../answer/read-stream.ts';
import { FormatGaps } from '../request/format-gaps.ts';
import { withFailuresAsErrors } from '../request/format.ts';
import { Live } from '../live.ts';
import { maskAndTap, withoutSecrets } from '../answer/mask.ts';
import { unpaidUsage } from '../bill/cost/cost-of-call.ts';
import { type Meter, noteFrame } from '../bill/meter.ts';
import { noChannel } from '../caller/usable-models.ts';
import { noReply, type RelayCall } from '../calls.ts';
import type { RelayDeps } from '../ports.ts';
import { readRequest } from '../request/read-request.ts';
import { send, type SendDeps } from './send.ts';
import type { Admitted, Given } from '../stages.ts';
import { Translations } from '../request/translations.ts';
import { destinationOf } from '../destination.ts';
import type { TryDeps } from './attempt-notes.ts';
import { tryChannels } from './try-channels.ts';
import { WatchedExchanges } from './watched-exchanges.ts';

type TestDeps = SendDeps & Pick<RelayDeps, 'upstreamOf' | 'routing' | 'dialects' | 'wires'>;

const OUTPUT_TOKENS = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Creates the test of channels. A test takes the same steps as a call, from the choice of the channel to the end of the
 * answer, so its result is what calls would get. It has no effects: no channel cools down or is disabled by it, and
 * nothing is counted.
 */
export const createChannelTest =
  (parts: TestDeps): TestChannel =>
  async (call) => {
    const watched = new WatchedExchanges(parts.clock);
    const admitted = admittedFor(parts, call);
    const { live, startedMs } = admitted;
    const timer = new AwakeTimer(TEST_TIMEOUT_MS, () => live.stop(tooLate('end', TEST_TIMEOUT_MS)));
    let firstTokenMs: number | undefined;
    /** The meter of the last answer, including one that failed. */
    const unpaid: { meter?: Meter } = {};
    let outcome: ChannelTestReport['outcome'];
    try {
      const answered = await asked(
        { ...parts, noteUnpaid: (_, __, meter) => (unpaid.meter = meter) },
        call,
        admitted,
        watched,
      );
      unpaid.meter = answered.answer.meter;
      if (answered.answer.kind === 'stream') firstTokenMs = parts.clock.monotonic() - startedMs;
      await hearOn(answered);
      outcome = answered.answer.meter.reported ?? noUsage;
    } catch (thrown) {
      outcome = live.stopped ?? withoutSecrets(asAppError(thrown), secretsIn(admitted, call));
    } finally {
      timer.stop();
      live.attempt?.close();
    }
    const { format, upstreamModel, terms: sent } = live.destination?.sentAs ?? {};
    return {
      exchanges: watched.shown(secretsIn(admitted, call)),
      upstreamModel,
      format: format?.name,
      service: { sent, served: unpaid.meter?.served },
      used: unpaid.meter && unpaidUsage(unpaid.meter),
      firstTokenMs,
      totalMs: parts.clock.monotonic() - startedMs,
      outcome,
    };
  };

const secretsIn = ({ live }: Admitted, { channel }: ChannelTestCall) =>
  live.destination?.secrets ?? secretsOf(channel);

const asked = (
  parts: TestDeps,
  { channel, isSaved, requestId }: ChannelTestCall,
  admitted: Admitted,
  watched: WatchedExchanges,
): Promise<Admitted & Given> => {
  const { connectSocket } = parts;
  const deps: SendDeps = {
    ...parts,
    gaps: isSaved ? parts.gaps : new FormatGaps(),
    sender: watched.sender(parts.sender),
    ...(connectSocket !== undefined && { connectSocket: watched.connect(connectSocket) }),
  };
  const { group, request } = admitted;
  return tryChannels(
    {
      ...parts,
      ...TELLS_NOBODY,
      health: new ChannelHealth(() => parts.clock.monotonic()),
      keyUses: new KeyUses(parts.clock, NO_TRIAL),
      pulses: new LivePulses(),
    },
    {
      book: admitted.live,
      options: admitted.routing.options,
      model: request.facts.model,
      requestId,
      userAgent: undefined,
      isFree: false,
      canRepeat: admitted.canRepeat,
      // The one key under test.
      choose: ({ channels, keys }) => ({
        channel: channels.has(channel.id) || keys.has(channel.keyId) ? undefined : channel,
        group,
        coolingTaken: false,
        leftOut: [],
      }),
      nobody: () => noChannel([group], request.facts.model),
      begin: (chosen) => {
        const destination = destinationOf(parts, chosen);
        return { ...destination, upstream: watched.upstream(destination.upstream) };
      },
      ask: (attempt) => send(deps, admitted, attempt),
      status: 200,
    },
  );
};

const NO_TRIAL = (): Promise<boolean> => Promise.resolve(false);

const TELLS_NOBODY: Pick<TryDeps, 'metrics' | 'channels'> = {
  metrics: { attemptFailed: () => undefined },
  channels: {
    autoDisable: () => undefined,
    seen: () => undefined,
    keyRefused: () => undefined,
    keyWorks: () => undefined,
    takeKeyTrial: NO_TRIAL,
    soldBelowCost: () => undefined,
  },
};

/** Builds the admitted call. Nothing is checked or held, because a test costs its caller nothing. */
const admittedFor = ({ routing: now, dialects, wires, clock }: TestDeps, test: ChannelTestCall): Admitted => {
  const { actor, channel, operation, requestId } = test;
  const routing = now();
  const wire = operation === 'chat' ? dialects['openai-chat'] : wires.embeddings;
  const call: RelayCall = {
    operation,
    dialect: 'openai-chat',
    headers: {},
    queryKey: undefined,
    pathModel: undefined,
    pathStream: undefined,
    framing: 'events',
    playground: false,
    requestId,
    ip: '',
    path: operation === 'chat' ? '/v1/chat/completions' : '/v1/embeddings',
    reply: noReply,
    readBody: () => Promise.resolve(NOTHING),
    readForm: () => Promise.reject(new Error('a test has no form')),
  };
  const request = readRequest(call, wire, Buffer.from(JSON.stringify(bodyOf(test))));
  const { group } = actor;
  return {
    call,
    wire,
    routing,
    createdAtMs: clock.now(),
    startedMs: clock.monotonic(),
    isSideCall: false,
    live: new Live(call, routing.options.StreamCacheQueueLength),
    caller: { user: actor, token: undefined, channelId: channel.id },
    request,
    translations: new Translations(wire, request),
    group,
    omitsTools: false,
    stripsTerms: false,
    continuation: undefined,
    session: undefined,
    canRepeat: true,
    lateForm: undefined,
  };
};

const USUAL = { messages: [{ role: 'user', content: 'hi' }], max_tokens: OUTPUT_TOKENS };

const bodyOf = ({ operation, model, stream, body = USUAL }: ChannelTestCall): object =>
  operation === 'embeddings'
    ? { model, input: ['hello world'] }
    : { model, ...body, ...(stream && { stream: true }) };

/** Reads a stream to its end and drops it. Throws the error it fails with. */
const hearOn = async ({ answer, format, wire }: Admitted & Given): Promise<void> => {
  if (answer.kind !== 'stream') return;
  const { rest, parser, masking, meter, discard } = answer;
  const telling = format.name === wire.name ? format : withFailuresAsErrors(format);
  const hear = (frames: readonly Frame[]): void => {
    for (const came of frames) {
      const { frame, tapped } = maskAndTap(came, telling, masking);
      if (tapped?.error !== undefined) throw tapped.error;
      noteFrame(meter, frame, tapped);
    }
  };
  await eachPiece(rest, (piece) => {
    hear(parser.feed(piece));
    // Some upstreams leave the connection open after the last event.
    return !meter.finished || meter.reported === undefined;
  });
  hear(parser.end());
  discard();
};
