import type { ChatEvent, FinishReason } from '../../src/server/core/chat/event.ts';
import { completionTokens, promptTokens } from '../../src/server/core/chat/usage.ts';
import type { Dialect } from '../../src/server/dialects/dialect.ts';
import type { Frame } from '../../src/server/dialects/frame.ts';
import { SseParser } from '../../src/server/dialects/sse.ts';
import { readStream } from '../../src/server/dialects/testing/streams.ts';

interface SaidCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/** The content of a reply, independent of its format. */
export interface Said {
  text: string;
  refusal: string;
  /** The reason for filtering, if given. */
  explanation: string;
  /** The transcript of spoken output. */
  transcript: string;
  images: number;
  readonly calls: SaidCall[];
  readonly finish: (FinishReason | undefined)[];
  usage: { readonly prompt: number; readonly cached: number; readonly completion: number } | undefined;
  error: string | undefined;
}

export const framesOf = (bytes: Buffer): Frame[] => {
  const parser = new SseParser();
  return [...parser.feed(bytes), ...parser.end()];
};

/** The events of an answer, streamed or whole. */
export const eventsOf = async (
  dialect: Dialect,
  bytes: Buffer,
  { stream }: { readonly stream: boolean },
): Promise<ChatEvent[]> => {
  if (!stream) return dialect.readWhole(JSON.parse(bytes.toString()));
  return Array.fromAsync(readStream(dialect, framesOf(bytes)));
};

/** Adds up the events of a reply. */
export const saidIn = (events: readonly ChatEvent[]): Said => {
  const said: Said = {
    text: '',
    refusal: '',
    explanation: '',
    transcript: '',
    images: 0,
    calls: [],
    finish: [],
    usage: undefined,
    error: undefined,
  };
  const calls = new Map<string, SaidCall>();
  for (const event of events) {
    switch (event.type) {
      case 'text-delta':
        said.text += event.text;
        break;
      case 'refusal-delta':
        said.refusal += event.text;
        break;
      case 'audio-delta':
        said.transcript += event.transcript ?? '';
        break;
      case 'image':
        said.images += 1;
        break;
      case 'tool-call-start': {
        const call = { id: event.id, name: event.name, arguments: '' };
        said.calls.push(call);
        calls.set(`${String(event.choice)}.${String(event.index)}`, call);
        break;
      }
      case 'tool-call-delta': {
        const call = calls.get(`${String(event.choice)}.${String(event.index)}`);
        if (call !== undefined) call.arguments += event.argumentsText;
        break;
      }
      case 'finish':
        said.finish[event.choice] = event.reason;
        said.explanation += event.explanation ?? '';
        break;
      case 'usage':
        said.usage = {
          prompt: promptTokens(event.usage),
          cached: event.usage.cacheReadTokens,
          completion: completionTokens(event.usage),
        };
        break;
      case 'error':
        said.error = event.error.message;
        break;
      default:
    }
  }
  for (const call of said.calls) call.arguments = plainJson(call.arguments);
  return said;
};

/** JSON with the same meaning has the same text. */
const plainJson = (text: string): string => {
  if (text === '') return '{}';
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
};
