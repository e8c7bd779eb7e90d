import { heldWholeBy } from '#core/chat/held-whole.ts';
import type { ChatRequest, ContentPart, Media, Tool } from '#core/chat/request.ts';
import { type ToolTemplate, toolTemplateOf, toolText } from './tool-templates.ts';

/** How a family of models cuts text, measured on answers whose length and tokens are known. */
interface Cut {
  /** Tokens of a text in the Latin alphabet for one of the plainest cut. */
  readonly factor: number;
  /** Tokens of one Chinese, Japanese or Korean character. */
  readonly perIdeograph: number;
  /** What stands around a request and around each message; some models are told the date and how to answer. */
  readonly perRequest: number;
  readonly perMessage: number;
  /** What stands around a call, and around its result. */
  readonly perCall: number;
}

/** A cut, and how much of each text is looked at. */
interface Counting extends Cut {
  readonly share: number;
}

const PLAIN: Cut = { factor: 1, perIdeograph: 0.65, perRequest: 3, perMessage: 4, perCall: 10 };
const OLD_GPT: Cut = { ...PLAIN, perIdeograph: 1.1 };
const CLAUDE: Cut = { ...PLAIN, factor: 1.05, perIdeograph: 1.1 };
/** Claude 4.7 and later cut finer. */
const NEW_CLAUDE: Cut = { ...PLAIN, factor: 1.4, perIdeograph: 1.3 };

/** Models whose prompts have other words of their own around them than most. */
const OTHERS: readonly (readonly [RegExp, Cut])[] = [
  // Calls and results are fields there, not words around them.
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
/** What Claude is told about thinking, and about a schema, before the first word of the caller. */
const CLAUDE_THINKING = 28;
const CLAUDE_SCHEMA = 140;
const IMAGE = 1000;
const LEAST_FILE = 1500;
const LEAST_AUDIO = 300;

/**
 * How many tokens a request will be as a prompt: for callers who ask, never for the bill. Within a tenth of what models
 * report for prose in English and Chinese; pictures and files are a guess by kind. Time is
 * bounded: of more than 128 Ki characters only pieces are counted.
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

/** A tool in the words of a family of models, unless it is too long to be put into them. */
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
  const holder = heldWholeBy(part.extras);
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

/** What kind of character stands at a place; runs of one kind are cut together. */
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

/** The kind of every UTF-16 unit: a look-up for each character is what makes the walk short. */
const KINDS = Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code));

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** Of more text than this pieces are counted, spread evenly: what is one part of it is the others, about. */
const COUNTED_LENGTH = 128 * 1024;
const MOST_PIECES = 16;
const LEAST_PIECE = 64;

/** The part of all texts that is counted. */
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
  // Tools and schemas stand beside the messages whose share it is.
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

/** One walk over a part of a text, run by run. */
const walkedTokens = (text: string, start: number, end: number, cut: Cut): number => {
  let tokens = 0;
  let kind = SPACE;
  let length = 0;
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const next = KINDS[code] ?? MARK;
    // A capital in the middle of a word begins another: OpenTelemetry.
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
    // A single space belongs to the word behind it; an indent is a token or two.
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
