import type { DialectName } from '#core/chat/request.ts';

/** The sample rates of AAC, by index. */
export interface CountRoute {
  readonly dialect: DialectName;
  readonly pathModel: string | undefined;
}

const COUNTS: Readonly<Record<string, CountRoute>> = {
  '/v1/messages/count_tokens': { dialect: 'anthropic-messages', pathModel: undefined },
  '/v1/responses/input_tokens': { dialect: 'openai-responses', pathModel: undefined },
};

const GEMINI_COUNT = /^\/v1(?:beta|alpha)?\/models\/(.+):countTokens$/;

/** The frame of MPEG audio, or of AAC in ADTS, that begins here (ISO 11172-3 2.4.1.3, 13818-3, 13818-7 6.2). */
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
