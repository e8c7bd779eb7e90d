import type { Secrets } from '#core/secrets.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { parsed } from '#contract/text.ts';
import { AppError } from '#core/error.ts';
import type { BackgroundResponse } from '#core/kept/background-response.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound.ts';
import type { Frame } from '../../dialects/frame.ts';
import { fieldsOf } from '../../dialects/openai/fields.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { refuseStatus } from '../answer.ts';
import type { Authenticate } from '../authenticate.ts';
import { countBeside } from '../model-rate.ts';
import type { RelayDeps, Reply } from '../ports.ts';
import { type AnsweredCall, answeredCalls, answerWhole, readWhole } from './answered-calls.ts';
import { type AskDeps, askKept, type KeptOperation } from './ask-kept.ts';
import type { BackgroundResponses } from './background-responses.ts';
import { keptChannel } from './find-kept.ts';
import { idsOf, type KeptResponses } from './kept-responses.ts';
import { repeatEvents } from './repeat-events.ts';
import { responseIn } from './response-of.ts';

/** One call about a kept response. It is never charged: what the response cost was charged when it was made. */
export interface KeptCall extends AnsweredCall {
  readonly operation: KeptOperation;
  readonly responseId: string;
}

type KeptDeps = AskDeps &
  Pick<RelayDeps, 'log' | 'modelRates'> & {
    readonly authenticate: Authenticate;
    readonly kept: KeptResponses;
    readonly background: BackgroundResponses;
  };

/** The calls about kept responses, and the end of all that are running. */
export const createKeptCalls = (deps: KeptDeps) => {
  const run = async (call: KeptCall, signal: AbortSignal): Promise<void> => {
    const { user, token } = await deps.authenticate(call);
    await countBeside(deps, deps.routing().options, { user, token });
    const found = await deps.kept.find(user.id, call.responseId, deps.clock.now());
    if (found === undefined) throw notFound(call);
    const open = keptChannel(deps, deps.routing().channels.get(found.channelId));
    if (open === undefined) throw notFound(call, ': the channel that keeps it no longer serves it');
    const background = await deps.background.find(user.id, call.responseId);
    if (background !== undefined && call.operation === 'delete') await deps.background.endNow(background);
    const { operation, responseId, query, headers } = call;
    const question = { operation, responseId, model: found.model, query, headers };
    const sent = await askKept(deps, open, question, signal);
    const secrets = secretsOf(open.channel);
    await refuseStatus(sent, openaiResponses, open.upstream, secrets);
    if (operation === 'delete') await deps.kept.forget(found);
    const tellsEnd = operation === 'read' || operation === 'cancel';
    await repeated(deps, call.reply, sent, { secrets, found, background: tellsEnd ? background : undefined });
  };

  return answeredCalls(deps, run);
};

const notFound = ({ responseId }: KeptCall, why = ''): AppError =>
  new AppError('not_found', `Response with id '${responseId.slice(0, 200)}' not found${why}.`, {
    reason: 'response_not_found',
  });

interface AskedFor {
  /** The key of the channel that keeps it. */
  readonly secrets: Secrets;
  readonly found: KeptResponse;
  /** Where its end is to be charged as it is seen. */
  readonly background: BackgroundResponse | undefined;
}

/**
 * The upstream's own answer, whole or as events, but for our key in it. The end of a response that was made in the
 * background is charged before it is given away.
 */
const repeated = async (
  deps: KeptDeps,
  reply: Reply,
  { status, headers, body }: OutboundReply,
  asked: AskedFor,
): Promise<void> => {
  if (/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
    await repeatedEvents(deps, reply, body, asked);
    return;
  }
  const { secrets, found, background } = asked;
  const bytes = await readWhole(body);
  const told = fieldsOf(parsed(bytes.toString()));
  // What its owner is shown here may be named in the next request.
  deps.kept.noteAt(found, idsOf(told['output'] ?? told['data']));
  if (background !== undefined) await deps.background.saw(background, told);
  answerWhole(reply, { status, bytes }, secrets);
};

const repeatedEvents = async (
  deps: KeptDeps,
  reply: Reply,
  body: OutboundBody,
  { secrets, background }: AskedFor,
): Promise<void> => {
  if (background === undefined) return repeatEvents(reply, body, secrets);
  const listener = deps.background.listen(background);
  try {
    await repeatEvents(reply, body, secrets, async (frame) => {
      listener.heard(frame);
      const response = isLast(frame) ? responseIn(frame) : undefined;
      if (response !== undefined) await deps.background.saw(background, response);
    });
  } finally {
    await listener.end();
  }
};

const ENDS = /"type":\s*"response\.(?:completed|incomplete|failed|cancelled)"/;

const isLast = ({ data, oversized }: Frame): boolean =>
  oversized !== true && ENDS.test(data.toString('latin1', 0, 200));
