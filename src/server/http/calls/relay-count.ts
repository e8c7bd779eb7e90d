import type { DialectName } from '#core/chat/request.ts';

/** A request to count the tokens of a prompt. */
export interface CountRoute {
  readonly dialect: DialectName;
  readonly pathModel: string | undefined;
}

const COUNTS: Readonly<Record<string, CountRoute>> = {
  '/v1/messages/count_tokens': { dialect: 'anthropic-messages', pathModel: undefined },
  '/v1/responses/input_tokens': { dialect: 'openai-responses', pathModel: undefined },
};

const GEMINI_COUNT = /^\/v1(?:beta|alpha)?\/models\/(.+):countTokens$/;

/** The route of a `POST` to this path that counts tokens; undefined for any other path. */
export const countAt = (path: string): CountRoute | undefined => {
  const fixed = COUNTS[path];
  if (fixed !== undefined) return fixed;
  const model = GEMINI_COUNT.exec(path)?.[1];
  return model === undefined ? undefined : { dialect: 'gemini', pathModel: decoded(model) };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
