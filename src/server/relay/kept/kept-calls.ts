import type { KeptCall, Reply } from '../calls.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { AppError } from '#core/error.ts';
import type { BackgroundResponse } from '#core/kept/background-response.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound/outbound.ts';
import type { Frame } from '../../dialects/frame.ts';
import type { Authenticate } from '../caller/authenticate.ts';
import { countWithoutModel } from '../caller/model-rate.ts';
import type { RelayDeps } from '../ports.ts';
import {
  type CallTools,
  createUnbilledCalls,
  refuseKept,
  refuseSaid,
  sendWhole,
  type UnbilledDeps,
} from './unbilled-calls.ts';
import { type AskDeps, askKept } from './ask-kept.ts';
import { itemsOf, seenOf } from './kept-reply.ts';
import type { BackgroundResponses } from './background-responses.ts';
import { enabledKeeper } from './find-kept.ts';
import type { KeptResponses } from './kept-responses.ts';
import { responseIn } from './response-fields.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { SseParser } from '../../dialects/sse.ts';
import { wordsIn } from '../answer/repeat.ts';
import { maskFrame, maskingOf, withoutCosts } from '../answer/mask.ts';

type KeptDeps = AskDeps &
  UnbilledDeps &
  Pick<RelayDeps, 'modelRates'> & {
    readonly authenticate: Authenticate;
    readonly kept: KeptResponses;
    readonly background: BackgroundResponses;
  };

/** Creates the handlers of calls about kept responses. */
export const createKeptCalls = (deps: KeptDeps) => {
  const run = async (call: KeptCall, tools: CallTools): Promise<void> => {
    const { user, token } = await deps.authenticate(call);
    tools.outlet.rateHeaders = await countWithoutModel(deps, deps.routing().options, { user, token });
    const found = await deps.kept.find(user.id, call.responseId, deps.clock.now());
    if (found === undefined) throw notFound(call);
    const open = enabledKeeper(deps, deps.routing().channels.get(found.channelId), found.keyIndex);
    if (open === undefined) throw notFound(call, ': the channel that keeps it no longer serves it');
    const background = await deps.background.find(user.id, call.responseId);
    if (background !== undefined && call.operation === 'delete') await deps.background.endNow(background);
    const { operation, responseId, query, headers } = call;
    const question = { operation, responseId, model: found.model, query, headers };
    const sent = await askKept(deps, open, question, tools.signal);
    const secrets = secretsOf(open.channel);
    await refuseKept(sent, open, deps.clock.now());
    if (operation === 'delete') await deps.kept.forget(found);
    const showsEnd = operation === 'read' || operation === 'cancel';
    const asked = { secrets, found, background: showsEnd ? background : undefined, ...tools };
    await passOn(deps, call.reply, sent, asked);
  };

  return createUnbilledCalls(deps, run);
};

const notFound = ({ responseId }: KeptCall, why = ''): AppError =>
  new AppError('not_found', `Response with id '${responseId.slice(0, 200)}' not found${why}.`, {
    reason: 'response_not_found',
  });

interface AskedFor extends Pick<CallTools, 'read'>, Partial<Pick<CallTools, 'checkReply'>> {
  /** Secrets of the channel that keeps the response. */
  readonly secrets: Secrets;
  readonly found: KeptResponse;
  /** Set if the response is charged when its end is seen. */
  readonly background: BackgroundResponse | undefined;
}

/**
 * Passes the upstream's answer on, whole or as events, with our key masked. The end of a background response is charged
 * before it is sent.
 */
const passOn = async (
  deps: KeptDeps,
  reply: Reply,
  { status, headers, body }: OutboundReply,
  asked: AskedFor,
): Promise<void> => {
  if (/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
    await passOnEvents(deps, reply, body, asked);
    return;
  }
  const { secrets, found, background, read, checkReply } = asked;
  const answered = await read(body, secrets, found.userId);
  // The caller's next request may refer to these items.
  deps.kept.noteItems(deps.kept.noteLength(found, answered.reply), answered.reply);
  if (background !== undefined) await deps.background.observe(background, answered.reply);
  refuseSaid({ checkReply }, answered);
  sendWhole(reply, status, answered.bytes);
};

/**
 * Passes events on as they arrive. Before an event of a background response is sent, what it says is recorded or
 * charged.
 */
export const passOnEvents = async (
  deps: Pick<KeptDeps, 'kept' | 'background'>,
  reply: Reply,
  body: OutboundBody,
  { secrets, found, background, checkReply }: Omit<AskedFor, 'read'>,
): Promise<void> => {
  const listener = background && deps.background.listen(background);
  try {
    await writeEvents(reply, body, secrets, async (frame) => {
      listener?.received(frame);
      const response = isLast(frame) ? responseIn(frame) : undefined;
      if (response !== undefined) {
        const seen = seenOf(response);
        deps.kept.noteItems(deps.kept.noteLength(found, seen), itemsOf(response));
        if (background !== undefined) await deps.background.observe(background, seen);
      }
      const refused = wordsIn({ checkReply }, frame);
      if (refused !== undefined) throw refused;
    });
  } finally {
    await listener?.end();
  }
};

const ENDS = /"type":\s*"response\.(?:completed|incomplete|failed|cancelled)"/;

const isLast = ({ data, oversized }: Frame): boolean =>
  oversized !== true && ENDS.test(data.toString('latin1', 0, 200));

const STALLED_MS = 60_000;

/**
 * Writes events as they arrive, no faster than they are read. A reader that takes nothing for a minute is cut off.
 * @param before called with each event before it is written
 */
export const writeEvents = async (
  reply: Reply,
  body: OutboundBody,
  secrets: Secrets,
  before?: (frame: Frame) => Promise<void>,
): Promise<void> => {
  const parser = new SseParser();
  const masking = maskingOf(secrets);
  reply.start(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  try {
    for await (const chunk of body) {
      let hasRoom = true;
      for (const frame of parser.feed(chunk)) {
        maskFrame(frame, masking);
        await before?.(frame);
        hasRoom = reply.write(withoutCosts(frame).raw);
      }
      if (!hasRoom) await drained(reply);
      if (reply.gone) throw new AppError('client_closed', 'the caller went away');
    }
  } catch (thrown) {
    body.discard();
    throw thrown;
  }
  reply.end();
};

const drained = async (reply: Reply): Promise<void> => {
  const timer = new AwakeTimer(STALLED_MS, () => reply.cut());
  await reply.drained();
  timer.stop();
};
