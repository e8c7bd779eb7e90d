/** Operations other than chat: each has one format for all callers. */
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

/** What a kind of upstream may offer: relay operations, and its list of models. */
export type Operation = RelayOperation | 'models';
