import type { DialectName } from '#core/chat/request.ts';
import { isEmbeddingName } from '#core/embedding-names.ts';
import { AppError } from '#core/error.ts';

/** When OpenAI listed its first models; gateways of this family send it for every model. */
const CREATED_S = 1_626_777_600;
const CREATED = new Date(CREATED_S * 1000).toISOString().replace('.000Z', 'Z');

const CHAT_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'];
const EMBEDDING_METHODS = ['embedContent', 'batchEmbedContents', 'countTokens'];

/** The most tokens that prompt and answer of a model may have together; undefined if unknown. */
export type ContextOf = (model: string) => number | undefined;

/**
 * One model as a caller of this format expects it. Its size is stated only if it is known, because agents fill as
 * much as they are told (platform.claude.com/docs/en/api/models, ai.google.dev/api/models; OpenAI states none, most
 * compatible services `context_length`).
 */
export const modelEntry = (dialect: DialectName, name: string, contextOf: ContextOf): unknown => {
  const context = contextOf(name);
  switch (dialect) {
    case 'anthropic-messages':
      return {
        type: 'model',
        id: name,
        display_name: name,
        created_at: CREATED,
        lifecycle: 'active',
        ...(context !== undefined && { max_input_tokens: context }),
      };
    case 'gemini':
      return {
        name: `models/${name}`,
        version: name,
        displayName: name,
        ...(context !== undefined && { inputTokenLimit: context }),
        supportedGenerationMethods: isEmbeddingName(name) ? EMBEDDING_METHODS : CHAT_METHODS,
      };
    case 'openai-chat':
    case 'openai-responses':
      return {
        id: name,
        object: 'model',
        created: CREATED_S,
        owned_by: 'tollgate',
        permission: [],
        root: name,
        parent: null,
        ...(context !== undefined && { context_length: context }),
      };
  }
};

/**
 * A list of models in the caller's format: all on one page unless the caller asks for smaller pages in its format's
 * way. `names` are sorted. Throws `invalid_request` for an impossible page.
 */
export const modelList = (
  dialect: DialectName,
  names: readonly string[],
  query: URLSearchParams,
  contextOf: ContextOf,
): unknown => {
  switch (dialect) {
    case 'anthropic-messages': {
      const { shown, hasMore } = messagesPage(names, query);
      return {
        data: shown.map((name) => modelEntry(dialect, name, contextOf)),
        has_more: hasMore,
        first_id: shown[0] ?? null,
        last_id: shown.at(-1) ?? null,
      };
    }
    case 'gemini': {
      const { shown, hasMore } = geminiPage(names, query);
      return {
        models: shown.map((name) => modelEntry(dialect, name, contextOf)),
        ...(hasMore && { nextPageToken: Buffer.from(shown.at(-1) ?? '').toString('base64url') }),
      };
    }
    case 'openai-chat':
    case 'openai-responses':
      return {
        success: true,
        object: 'list',
        data: names.map((name) => modelEntry(dialect, name, contextOf)),
      };
  }
};

interface Page {
  readonly shown: readonly string[];
  readonly hasMore: boolean;
}

const MOST_ON_A_PAGE = 1000;

/** `limit`, `after_id`, `before_id` (platform.claude.com/docs/en/api/models/list). */
const messagesPage = (names: readonly string[], query: URLSearchParams): Page => {
  const size = sizeOf(query.get('limit'), 'limit') ?? names.length;
  const [after, before] = [query.get('after_id'), query.get('before_id')];
  if (before === null) return beginning(after === null ? names : behind(names, after), size);
  const earlier = names.filter((name) => name < before);
  return { shown: earlier.slice(-size), hasMore: earlier.length > size };
};

/**
 * `pageSize`, `pageToken` (ai.google.dev/api/models#method:-models.list); a token is the last name of the previous
 * page.
 */
const geminiPage = (names: readonly string[], query: URLSearchParams): Page => {
  const size = sizeOf(query.get('pageSize') ?? query.get('page_size'), 'pageSize') ?? names.length;
  const token = query.get('pageToken') ?? query.get('page_token') ?? '';
  return beginning(token === '' ? names : behind(names, Buffer.from(token, 'base64url').toString()), size);
};

const behind = (names: readonly string[], last: string): readonly string[] =>
  names.filter((name) => name > last);

const beginning = (names: readonly string[], size: number): Page => ({
  shown: names.slice(0, size),
  hasMore: names.length > size,
});

const sizeOf = (text: string | null, param: string): number | undefined => {
  if (text === null || text === '') return undefined;
  const size = Number(text);
  if (Number.isInteger(size) && size > 0) return Math.min(size, MOST_ON_A_PAGE);
  throw new AppError('invalid_request', `'${param}': a whole number from 1 to ${String(MOST_ON_A_PAGE)}`, {
    param,
  });
};
