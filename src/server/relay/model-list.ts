import type { DialectName } from '#core/chat/request.ts';

/** When OpenAI's first models were listed; the family sends it for every model. */
const CREATED_S = 1_626_777_600;
const CREATED = new Date(CREATED_S * 1000).toISOString().replace('.000Z', 'Z');

/** One model as a caller of this format expects it. */
export const modelEntry = (dialect: DialectName, name: string): unknown => {
  switch (dialect) {
    case 'anthropic-messages':
      return { type: 'model', id: name, display_name: name, created_at: CREATED };
    case 'gemini':
      return {
        name: `models/${name}`,
        version: name,
        displayName: name,
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
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
      };
  }
};

/** A list of models as a caller of this format expects it; always whole, on one page. */
export const modelList = (dialect: DialectName, names: readonly string[]): unknown => {
  const entries = names.map((name) => modelEntry(dialect, name));
  switch (dialect) {
    case 'anthropic-messages':
      return {
        data: entries,
        has_more: false,
        first_id: names[0] ?? null,
        last_id: names.at(-1) ?? null,
      };
    case 'gemini':
      return { models: entries };
    case 'openai-chat':
    case 'openai-responses':
      return { success: true, object: 'list', data: entries };
  }
};
