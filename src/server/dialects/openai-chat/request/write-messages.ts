import type { ContentPart, Message } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { contentOfResult } from '../../openai/tools/failed-result.ts';
import { NO_TOOLS } from '../../openai/tools/free-text.ts';
import { isMedia, SHOWS_MEDIA } from '../parts/shown-media.ts';
import { writeDetailSeal } from '../parts/signature.ts';
import { writeContent, writeToolCall } from '../parts/write-parts.ts';

type Result = Extract<ContentPart, { type: 'tool-result' }>;

/**
 * Writes the messages of a conversation. Each tool result is a message of its own with only text; its images and files go
 * into a user message after all results of the turn. `customTools` are the tools whose calls are written as free text.
 */
export const writeMessages = (
  messages: readonly Message[],
  customTools: ReadonlySet<string> = NO_TOOLS,
): Fields[] => {
  const written: Fields[] = [];
  let shown: ContentPart[] = [];
  for (const message of messages) {
    const results = message.content.filter((part) => part.type === 'tool-result');
    const rest = message.content.filter((part) => part.type !== 'tool-result');
    const extras = message.extras?.['openai-chat'] ?? {};
    if (results.length === 0 && message.role !== 'user' && shown.length > 0) {
      written.push(writeMessage({ role: 'user', content: shown }, shown, {}));
      shown = [];
    }
    written.push(...results.map((result) => writeToolResult(result, extras)));
    shown.push(...results.flatMap((result) => (showsMedia(result) ? [] : result.content.filter(isMedia))));
    if (rest.length === 0 && results.length > 0) continue;
    written.push(writeMessage(message, [...shown, ...rest], extras, customTools));
    shown = [];
  }
  if (shown.length > 0) written.push(writeMessage({ role: 'user', content: shown }, shown, {}));
  return written;
};

const showsMedia = ({ extras }: Result): boolean => extras?.['openai-chat']?.[SHOWS_MEDIA] === true;

const ELSEWHERE = 'The result is in the next message.';

const writeToolResult = (result: Result, extras: Fields): Fields => {
  const name = result.name === undefined ? {} : { name: result.name };
  const told = contentOfResult(result);
  const texts = showsMedia(result) ? told : told.filter((part) => !isMedia(part));
  const isElsewhere = texts.length === 0 && told.length > 0;
  const content = isElsewhere ? ELSEWHERE : (writeContent(texts) ?? '');
  if (extras['role'] === 'function') return { ...extras, ...name, content };
  return { ...extras, role: 'tool', tool_call_id: result.callId, ...name, content };
};

const writeMessage = (
  message: Message,
  parts: readonly ContentPart[],
  extras: Fields,
  customTools: ReadonlySet<string> = NO_TOOLS,
): Fields => {
  const reasoning = parts.filter((part) => part.type === 'reasoning');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const audio = parts.find((part) => part.type === 'audio' && part.media.from === 'file-id');
  const isOfAssistant = message.role === 'assistant';
  // A list of parts has either texts or a single refusal, so refusals stand beside it (OpenAI's API reference).
  const refusals = isOfAssistant ? parts.filter((part) => part.type === 'refusal') : [];
  const images = isOfAssistant ? parts.filter(({ type }) => type === 'image') : [];
  const content = writeContent(
    parts.filter(
      (part) =>
        part !== audio &&
        part.type !== 'reasoning' &&
        part.type !== 'tool-call' &&
        !(isOfAssistant && (part.type === 'image' || part.type === 'refusal')),
    ),
  );
  const isSilent = calls.length > 0 || refusals.length > 0 || audio !== undefined;
  return {
    ...extras,
    role: message.role === 'tool' ? 'user' : message.role,
    ...(message.name !== undefined && { name: message.name }),
    content: content ?? (isSilent ? null : ''),
    ...writeReasoning(reasoning),
    ...(refusals.length > 0 && { refusal: refusals.map(({ text }) => text).join('\n\n') }),
    ...(audio?.type === 'audio' && audio.media.from === 'file-id' && { audio: { id: audio.media.fileId } }),
    ...(images.length > 0 && { images: writeContent(images) }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => writeToolCall(call, customTools)) }),
  };
};

const writeReasoning = (parts: readonly Extract<ContentPart, { type: 'reasoning' }>[]): Fields => {
  const text = parts.map((part) => part.text).join('');
  const plain = text === '' ? {} : { reasoning_content: text };
  const [only] = parts;
  const isPlain =
    parts.length === 0 ||
    (parts.length === 1 && only?.signature === undefined && only?.redacted === undefined);
  if (isPlain) return plain;
  // A signature goes back only to upstreams of its own format.
  const details = parts
    .filter(({ signatureFrom = 'openai-chat' }) => signatureFrom === 'openai-chat')
    .map(({ text: part, signature, redacted }) => ({
      ...writeDetailSeal({ signature, redacted }),
      ...(part !== '' && { text: part }),
    }));
  return { ...plain, ...(details.length > 0 && { reasoning_details: details }) };
};
