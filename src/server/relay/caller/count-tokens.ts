import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { DialectName } from '#core/chat/request.ts';
import { asAppError } from '#core/error.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { countTokens } from '../../dialects/count-tokens.ts';
import { askedCount } from './asked-count.ts';
import type { Authenticate } from './authenticate.ts';
import { errorHeaders } from './reply-headers.ts';
import { surveyIfLight } from '../far/far-request.ts';
import { copied } from '../far/own-bytes.ts';
import type { FarAnswers } from '../far/far-wire.ts';
import type { RelayDeps } from '../ports.ts';
import type { TokenAnswer, TokenCount } from '../calls.ts';
import { isKnownModel, unknownModel } from './usable-models.ts';

type CountDeps = Pick<RelayDeps, 'dialects' | 'log' | 'routing' | 'farThreads'>;

/**
 * Counts a prompt's tokens and answers in the caller's format. Done locally for every channel: it costs nothing and
 * asks no upstream.
 */
export const createCountTokens =
  (deps: CountDeps, authenticate: Authenticate) =>
  async (count: TokenCount): Promise<TokenAnswer> => {
    const dialect = deps.dialects[count.dialect];
    try {
      const { user, token } = await authenticate(count);
      const { model: asked, tokens } = await counted(deps, count, user.id, await count.readBody(user.id));
      const routing = deps.routing();
      const model = aliasedModel(routing, asked);
      if (token !== undefined) admitModel(token, model);
      const groups = groupsOf(routing.options, user.group, token?.group ?? '');
      if (!isKnownModel(routing, groups, model)) throw unknownModel(routing, groups, { user, token }, model);
      return { status: 200, body: answer(count.dialect, tokens) };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal')
        deps.log.error('a token count failed unexpectedly', {
          requestId: count.requestId,
          error: error.cause,
        });
      return { ...dialect.writeError(error, count.requestId), headers: errorHeaders(error) };
    }
  };

const counted = async (
  { dialects, farThreads }: CountDeps,
  { dialect, pathModel, ip }: TokenCount,
  userId: number,
  bytes: Buffer,
): Promise<FarAnswers['count']> => {
  if (farThreads === undefined || surveyIfLight(bytes) !== undefined) {
    const request = dialects[dialect].readRequest(askedCount(pathModel, bytes));
    return { model: request.model, tokens: countTokens(request) };
  }
  const desk = farThreads.open(userId, ip);
  try {
    return await desk.ask({ kind: 'count', dialect, pathModel, bytes: await copied([bytes]) });
  } finally {
    desk.leave();
  }
};

const answer = (dialect: DialectName, tokens: number): unknown => {
  switch (dialect) {
    case 'gemini':
      return { totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] };
    case 'openai-responses':
      return { object: 'response.input_tokens', input_tokens: tokens };
    case 'anthropic-messages':
    case 'openai-chat':
      return { input_tokens: tokens };
  }
};
