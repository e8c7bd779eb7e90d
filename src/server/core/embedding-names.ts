const EMBEDDING_NAME = /embed|bge-|^m3e/i;

/** Whether a model makes vectors, as far as its name tells: such a model answers no chats. */
export const isEmbeddingName = (model: string): boolean => EMBEDDING_NAME.test(model);
