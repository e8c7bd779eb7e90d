/** Formats in which a call that nobody makes may be written. */
export const sampleDialects = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;

/** Kinds of call whose request is JSON. */
export const sampleOperations = ['chat', 'completions', 'embeddings', 'images', 'speech', 'rerank'] as const;

/** What a prompt, and an answer, is taken for where nothing is said of it. */
export const EXPLAINED_TOKENS = 1000;
