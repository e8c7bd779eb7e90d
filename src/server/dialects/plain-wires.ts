import type { Wire } from './dialect.ts';
import { geminiEmbeddings } from './gemini-embeddings/gemini-embeddings.ts';
import { openaiSpeech } from './openai-audio/speech.ts';
import { openaiTranscriptions } from './openai-audio/transcriptions.ts';
import { openaiCompletions } from './openai-completions/openai-completions.ts';
import { openaiEdits } from './openai-edits/openai-edits.ts';
import { openaiEmbeddings } from './openai-embeddings/openai-embeddings.ts';
import { openaiImages } from './openai-images/openai-images.ts';
import { openaiModerations } from './openai-moderations/openai-moderations.ts';
import { openaiRealtime } from './openai-realtime/openai-realtime.ts';
import { responsesCompact } from './openai-responses/compact.ts';
import { rerank } from './rerank/rerank.ts';

/** The formats of calls other than chats, by operation. Their bytes are only repeated. */
export const plainWires = {
  completions: openaiCompletions,
  edits: openaiEdits,
  embeddings: openaiEmbeddings,
  'embed-content': geminiEmbeddings,
  'batch-embed-contents': geminiEmbeddings,
  'responses-compact': responsesCompact,
  images: openaiImages,
  'image-edits': openaiImages,
  'image-variations': openaiImages,
  speech: openaiSpeech,
  transcriptions: openaiTranscriptions,
  translations: openaiTranscriptions,
  moderations: openaiModerations,
  rerank,
  realtime: openaiRealtime,
} as const satisfies Readonly<Record<string, Wire>>;
