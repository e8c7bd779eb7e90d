import { onlyFormatOf } from '#core/chat/only-format.ts';
import type { ChatRequest, ContentPart, Media, Tool } from '#core/chat/request.ts';
import { type ToolTemplate, toolTemplateOf, toolText } from './tool-templates.ts';

/** How a family of models splits text into tokens, measured on answers of known text and token count. */
interface Cut {
  /** Tokens of Latin text relative to the simplest tokenizer. */
  readonly factor: number;
  /** Tokens of one Chinese, Japanese or Korean character. */
  readonly perIdeograph: number;
  /** Tokens around a request and around each message; some models also get the date and instructions. */
  readonly perRequest: number;
  readonly perMessage: number;
  /** Tokens around a call, and around its result. */
  readonly perCall: number;
}

/** A tokenizer, and what share of each text to count. */
interface Counting extends Cut {
  readonly share: number;
}

const PLAIN: Cut = { factor: 1, perIdeograph: 0.65, perRequest: 3, perMessage: 4, perCall: 10 };
const OLD_GPT: Cut = { ...PLAIN, perIdeograph: 1.1 };
const CLAUDE: Cut = { ...PLAIN, factor: 1.05, perIdeograph: 1.1 };
/** Claude 4.7 and later split text into more tokens. */
const NEW_CLAUDE: Cut = { ...PLAIN, factor: 1.4, perIdeograph: 1.3 };

/** Models whose prompt templates differ from most. */
const OTHERS: readonly (readonly [RegExp, Cut])[] = [
  // There, calls and results are fields without text around them.
  [/gemini|gemma/, { ...PLAIN, perRequest: 0, perMessage: 0, perCall: 0 }],
  [/sonar|hunyuan/, { ...PLAIN, perRequest: 0, perMessage: 0 }],
  [/mistral|mixtral|magistral|ministral|codestral|deepseek|glm/, { ...PLAIN, perRequest: 1, perMessage: 3 }],
  [/gpt-oss/, { ...PLAIN, perRequest: 66 }],
  [/llama-?3\.[1-3]/, { ...PLAIN, perRequest: 32 }],
  [/minimax/, { ...PLAIN, perRequest: 37 }],
];

const cutOf = (name: string): Cut => {
  const model = name.toLowerCase();
  if (/claude-(?:[a-z]+-)?(?:4[-.][7-9]|[5-9])|claude-(?:fable|mythos)/.test(model)) return NEW_CLAUDE;
  if (model.includes('claude')) return CLAUDE;
  if (/gpt-(?:3|4(?![\d.o]))/.test(model)) return OLD_GPT;
  return OTHERS.find(([family]) => family.test(model))?.[1] ?? PLAIN;
};

const LONG_WORD = 8;
/** Tokens of Claude's own instructions on thinking, and on a schema. */
const CLAUDE_THINKING = 28;
const CLAUDE_SCHEMA = 140;
const IMAGE = 1000;
const LEAST_FILE = 1500;
const LEAST_AUDIO = 300;

/**
 * Estimates the prompt tokens of a request, for callers who ask; never used for billing. English and Chinese prose is
 * within a tenth of what models report; pictures and files are a guess by type. Time is bounded: of more than 128 Ki
 * characters only samples are counted.
 */
export const countTokens = (request: ChatRequest): number => {
  const cut = { ...cutOf(request.model), share: shareOf(request) };
  const isClaude = /claude/i.test(request.model);
  let tokens = cut.perRequest;
  for (const { content, name = '' } of request.messages)
    tokens += cut.perMessage + partsTokens(content, cut) + textTokens(name, cut);
  const tools = request.tools ?? [];
  if (tools.length > 0) {
    const template = toolTemplateOf(request.model);
    tokens += template.once;
    for (const tool of tools) tokens += template.each + textTokens(toldTool(tool, template), cut);
  }
  if (isClaude && thinks(request)) tokens += CLAUDE_THINKING;
  if (request.responseFormat?.type === 'json-schema')
    tokens += (isClaude ? CLAUDE_SCHEMA : 0) + textTokens(jsonText(request.responseFormat.schema), cut);
  return Math.ceil(tokens);
};

const thinks = ({ reasoning }: ChatRequest): boolean =>
  reasoning?.enabled ?? (reasoning?.budgetTokens !== undefined || (reasoning?.effort ?? 'none') !== 'none');

/** A tool as text in the template of a model family; plain if it is too long for the template. */
const toldTool = (tool: Tool, template: ToolTemplate): string => {
  const json = jsonText(tool);
  return json.length > COUNTED_LENGTH ? json : toolText(tool, template);
};

/** Tokens of a plain text for a model. */
export const countTextTokens = (text: string, model: string): number =>
  Math.ceil(textTokens(text, { ...cutOf(model), share: shareFor(text.length) }));

const partsTokens = (parts: readonly ContentPart[], cut: Counting): number => {
  let tokens = 0;
  for (const part of parts) tokens += partTokens(part, cut);
  return tokens;
};

const partTokens = (part: ContentPart, cut: Counting): number => {
  const holder = onlyFormatOf(part.extras);
  if (holder !== undefined) return textTokens(jsonText(part.extras?.[holder]), cut);
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return textTokens(part.text, cut);
    case 'image':
      return part.detail === 'low' ? 85 : IMAGE;
    case 'audio':
      return Math.max(LEAST_AUDIO, mediaLength(part.media) / 500);
    case 'file':
      return Math.max(LEAST_FILE, mediaLength(part.media) / 20);
    case 'tool-call':
      return cut.perCall + textTokens(part.name, cut) + textTokens(part.argumentsText, cut);
    case 'tool-result':
      return cut.perCall + partsTokens(part.content, cut);
  }
};

const mediaLength = (media: Media): number => (media.from === 'base64' ? media.data.length : 0);

const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

/** Kinds of characters; runs of one kind are split together. */
const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const LINE = 3;
const IDEOGRAPH = 4;
const MARK = 5;
const SYMBOL = 6;

const kindOf = (code: number): number => {
  if (code === 0x0a || code === 0x0d) return LINE;
  if (code <= 0x20) return SPACE;
  if (code < 0x80) {
    if (code >= 0x30 && code <= 0x39) return DIGIT;
    return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? LETTER : MARK;
  }
  // Chinese punctuation, kana, ideographs, Hangul, full-width forms.
  if (code >= 0x2e80 && code <= 0x9fff) return IDEOGRAPH;
  if ((code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff)) return IDEOGRAPH;
  if (code >= 0xff00 && code <= 0xffef) return IDEOGRAPH;
  if (code >= 0xd800 && code <= 0xdfff) return SYMBOL;
  return code >= 0x2000 && code <= 0x2bff ? MARK : LETTER;
};

/** The kind of every UTF-16 unit; the table makes the loop fast. */
const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code));

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** For longer texts, evenly spread samples are counted, because all parts of a text are about alike. */
const COUNTED_LENGTH = 128 * 1024;
const MOST_PIECES = 16;
const LEAST_PIECE = 64;

/** The share of all texts that is counted. */
const shareFor = (length: number): number => Math.min(1, COUNTED_LENGTH / length);

const shareOf = ({ messages }: ChatRequest): number => {
  let length = 1;
  for (const { content } of messages) for (const part of content) length += lengthOf(part);
  return shareFor(length);
};

const lengthOf = (part: ContentPart): number => {
  if (part.type === 'tool-result') return part.content.reduce((sum, inner) => sum + lengthOf(inner), 0);
  if (part.type === 'tool-call') return part.argumentsText.length;
  return 'text' in part ? part.text.length : 0;
};

const textTokens = (text: string, cut: Counting): number => {
  // Only messages are sampled; tools and schemas are counted in full.
  const counted = Math.max(LEAST_PIECE, Math.ceil(text.length * Math.min(cut.share, shareFor(text.length))));
  if (text.length <= counted) return walkedTokens(text, 0, text.length, cut);
  const pieces = Math.min(MOST_PIECES, Math.ceil(counted / 1024));
  const pieceLength = Math.floor(counted / pieces);
  let tokens = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const start = pieces === 1 ? 0 : Math.floor(((text.length - pieceLength) * piece) / (pieces - 1));
    tokens += walkedTokens(text, start, start + pieceLength, cut);
  }
  return (tokens * text.length) / (pieceLength * pieces);
};

/** Counts a part of a text, run by run. */
const walkedTokens = (text: string, start: number, end: number, cut: Cut): number => {
  let tokens = 0;
  let kind = SPACE;
  let length = 0;
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const next = KINDS[code] ?? MARK;
    // A capital inside a word begins another word: OpenTelemetry.
    const begins = length > 1 && next === LETTER && isCapital(code) && !isCapital(before);
    before = code;
    if (next === kind && !begins) {
      length += 1;
      continue;
    }
    tokens += runTokens(kind, length, cut);
    kind = next;
    length = 1;
  }
  return tokens + runTokens(kind, length, cut);
};

const runTokens = (kind: number, length: number, { factor, perIdeograph }: Cut): number => {
  if (length === 0) return 0;
  switch (kind) {
    case LETTER:
      return length <= LONG_WORD ? factor : factor * (1 + (0.7 * (length - LONG_WORD)) / 6);
    // A single space belongs to the next word; an indent is a token or two.
    case SPACE:
      return length === 1 ? 0 : factor * Math.ceil(length / 16);
    case LINE:
      return factor;
    case IDEOGRAPH:
      return perIdeograph * length;
    // Two halves of a surrogate pair: an emoji is about three tokens.
    case SYMBOL:
      return 1.5 * length;
    default:
      return factor * Math.ceil(length / 3);
  }
};
