import type { ChatRequest } from './chat-request.ts';
import type { ReplyEnd, ReplyMeter, ToolCall } from '../talk/conversation.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { streamChat } from './stream-chat.ts';

/** How often new text is rendered: more often would only cost time. */
const BATCH_MS = 40;

interface ReplyListener {
  readonly text: (text: string, reasoning: string) => void;
  /** Calls of tools and pictures, in their place among the text. */
  readonly more: (tools: readonly ToolCall[], images: readonly string[]) => void;
  readonly meter: (meter: ReplyMeter) => void;
  /** Called once, after all text. */
  readonly end: (end: ReplyEnd) => void;
}

/**
 * Streams a reply to `on` in batches and returns its measurements. Aborting ends it as complete and stopped.
 */
export const runReply = async (
  request: ChatRequest,
  exchange: Exchange,
  signal: AbortSignal,
  on: ReplyListener,
): Promise<ReplyMeter> => {
  const batch = startBatch(on.text);
  let startedMs = performance.now();
  let meter: ReplyMeter = {};
  let ending: Ending | undefined;
  let end: ReplyEnd | undefined;
  try {
    for await (const event of streamChat(request, exchange, signal)) {
      if (event.kind === 'failed') {
        end = { status: 'error', error: event.error };
      } else if (event.kind === 'again') {
        startedMs = performance.now();
      } else if (event.kind === 'opened') {
        if (event.requestId !== undefined) meter = { ...meter, requestId: event.requestId };
      } else if (event.kind === 'done') {
        ending ??= 'whole';
      } else {
        const { text, reasoning, tools, images, completionTokens } = event.chunk;
        const isMore = tools.length + images.length > 0;
        const isFirst = meter.firstTokenMs === undefined && (text !== '' || reasoning !== '' || isMore);
        if (isFirst) meter = { ...meter, firstTokenMs: performance.now() - startedMs };
        if (completionTokens !== undefined) meter = { ...meter, completionTokens };
        // The first counts: a mark that only closes the stream may follow one with a reason.
        ending ??= event.chunk.ending;
        batch.add(text, reasoning);
        if (isMore) on.more(tools, images);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    end = { status: 'complete', cut: 'stopped' };
  } finally {
    batch.flush();
  }
  meter = { ...meter, totalMs: performance.now() - startedMs };
  on.meter(meter);
  const cut = ending ?? 'broken';
  on.end(end ?? { status: 'complete', cut: cut === 'whole' ? '' : cut });
  return meter;
};

interface Batch {
  readonly add: (text: string, reasoning: string) => void;
  readonly flush: () => void;
}

const startBatch = (take: ReplyListener['text']): Batch => {
  let text = '';
  let reasoning = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text === '' && reasoning === '') return;
    take(text, reasoning);
    text = '';
    reasoning = '';
  };
  return {
    add: (moreText, moreReasoning) => {
      text += moreText;
      reasoning += moreReasoning;
      if (text !== '' || reasoning !== '') timer ??= setTimeout(flush, BATCH_MS);
    },
    flush,
  };
};
