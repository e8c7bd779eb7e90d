import { parsed } from '#contract/text.ts';
import type { DialectName } from '#core/chat/request.ts';
import { AppError, asAppError } from '#core/error.ts';
import { assertJsonBounds } from '#core/json-bounds.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { countTokens } from '../dialects/count-tokens.ts';
import { type Fields, isFields } from '../dialects/openai/fields.ts';
import type { Authenticate } from './authenticate.ts';
import { errorHeaders } from './error-headers.ts';
import type { RelayDeps, TokenAnswer, TokenCount } from './ports.ts';
import { isKnownModel, unknownModel } from './usable-models.ts';

/** What a text to count may leave out that a call may not. */
const COUNTED = { stream: false } as const;

/**
 * How long a request would be as a prompt, in the caller's format. Worked out here, whatever channel would serve it: it
 * costs nothing and no upstream is asked.
 */
export const createCountTokens =
  (deps: Pick<RelayDeps, 'dialects' | 'log' | 'routing'>, authenticate: Authenticate) =>
  async (count: TokenCount): Promise<TokenAnswer> => {
    const dialect = deps.dialects[count.dialect];
    try {
      const { user, token } = await authenticate(count);
      const request = dialect.readRequest(counted(count, await count.readBody(user.id)));
      if (token !== undefined) admitModel(token, request.model);
      const routing = deps.routing();
      const groups = groupsOf(routing.options, user.group, token?.group ?? '');
      if (!isKnownModel(routing, groups, request.model))
        throw unknownModel(routing, groups, { user, token }, request.model);
      return { status: 200, body: answer(count.dialect, countTokens(request)) };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'internal')
        deps.log.error('a count failed inside', { requestId: count.requestId, cause: String(error.cause) });
      return { ...dialect.writeError(error, count.requestId), headers: errorHeaders(error) };
    }
  };

/** The request whose tokens are asked for; Gemini's may stand in a field of its own (ai.google.dev/api/tokens). */
const counted = ({ pathModel }: TokenCount, bytes: Buffer): Fields => {
  const body = bodyOf(bytes);
  const inner = body['generateContentRequest'];
  const request = isFields(inner) ? inner : body;
  return { ...request, ...(pathModel !== undefined && { model: pathModel }), ...COUNTED };
};

const bodyOf = (bytes: Buffer): Fields => {
  assertJsonBounds(bytes);
  const body = parsed(bytes.toString());
  if (isFields(body)) return body;
  throw new AppError('invalid_request', 'the body is not a JSON object');
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
