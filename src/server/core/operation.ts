/** Calls that are no chats: each has one format, whoever calls. */
export type PlainOperation =
  | 'completions'
  | 'edits'
  | 'embeddings'
  | 'embed-content'
  | 'batch-embed-contents'
  | 'responses-compact'
  | 'images'
  | 'image-edits'
  | 'image-variations'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'moderations'
  | 'rerank'
  | 'realtime';

/** Every call the relay carries. */
export type RelayOperation = 'chat' | PlainOperation;

/** What a kind of upstream may offer: calls, and the list of its models. */
export type Operation = RelayOperation | 'models';
