import type { DialectName } from '#core/chat/request.ts';
import { asAppError } from '#core/error.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { countTokens } from '../dialects/count-tokens.ts';
import { askedCount } from './asked-count.ts';
import type { Authenticate } from './authenticate.ts';
import { errorHeaders } from './error-headers.ts';
import { copied, isHeavy } from './far/far-asked.ts';
import type { FarAnswers } from './far/far-wire.ts';
import type { RelayDeps, TokenAnswer, TokenCount } from './ports.ts';
import { isKnownModel, unknownModel } from './usable-models.ts';

type CountDeps = Pick<RelayDeps, 'dialects' | 'log' | 'routing' | 'farThreads'>;

/**
 * How long a request would be as a prompt, in the caller's format. Worked out here, whatever channel would serve it: it
 * costs nothing and no upstream is asked.
 */
export const createCountTokens =
  (deps: CountDeps, authenticate: Authenticate) =>
  async (count: TokenCount): Promise<TokenAnswer> => {
    const dialect = deps.dialects[count.dialect];
    try {
      const { user, token } = await authenticate(count);
      const { model, tokens } = await counted(deps, count, user.id, await count.readBody(user.id));
      if (token !== undefined) admitModel(token, model);
      const routing = deps.routing();
      const groups = groupsOf(routing.options, user.group, token?.group ?? '');
      if (!isKnownModel(routing, groups, model)) throw unknownModel(routing, groups, { user, token }, model);
      return { status: 200, body: answer(count.dialect, tokens) };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal')
        deps.log.error('a count failed inside', { requestId: count.requestId, cause: String(error.cause) });
      return { ...dialect.writeError(error, count.requestId), headers: errorHeaders(error) };
    }
  };

const counted = async (
  { dialects, farThreads }: CountDeps,
  { dialect, pathModel, ip }: TokenCount,
  userId: number,
  bytes: Buffer,
): Promise<FarAnswers['count']> => {
  if (farThreads === undefined || !isHeavy(bytes)) {
    const request = dialects[dialect].readRequest(askedCount(pathModel, bytes));
    return { model: request.model, tokens: countTokens(request) };
  }
  const desk = farThreads.open(userId, ip);
  try {
    return await desk.ask({ kind: 'count', dialect, pathModel, bytes: await copied(bytes) });
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
