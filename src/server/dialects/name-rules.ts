import type { NameRules } from '#core/chat/fitted-names.ts';

/** Sources: API references of each format (functions, tool use, function calling), as of November 2026. */

const PLAIN = { fits: /^[\w-]{1,64}$/, odd: /[^\w-]/g };

/** Names that every format accepts. */
export const plainNames: NameRules = { tools: PLAIN, calls: { fits: /^[\w-]{1,40}$/, odd: /[^\w-]/g } };

/** OpenAI's chats: any id, of 40 letters at most. */
export const chatNames: NameRules = { tools: PLAIN, calls: { fits: /^.{1,40}$/su, odd: /(?!)/g } };

export const responsesNames: NameRules = { tools: PLAIN, calls: { fits: /^.{1,64}$/su, odd: /(?!)/g } };

export const messagesNames: NameRules = { tools: PLAIN, calls: { fits: /^[\w-]{1,128}$/, odd: /[^\w-]/g } };

export const geminiNames: NameRules = {
  tools: { fits: /^[A-Za-z_][\w.:-]{0,63}$/, odd: /[^\w.:-]/g },
  calls: { fits: /^[^]*$/, odd: /(?!)/g },
};
