import { AppError } from '#core/error.ts';
import {
  DEAREST_MEDIA,
  FILE_MOST_TOKENS,
  measurePrompt,
  type PromptSize,
} from '../openai/usage/estimate-tokens.ts';
import type { PromptFacts } from '../openai/prompt-size.ts';
import { textOf, type Fields } from '#core/json/fields.ts';
import { soundTokens } from '../sound/sound-tokens.ts';
import { camelFields, camelList } from './fields.ts';

const MAX_CONTENTS = 100_000;
/** What a cached prompt at Google may add; only the response gives the exact number. */
const CACHED_TOKENS = 32_768;
/** A file at Google may be up to an hour of video; most are documents. Pages that Google reads by their addresses are like them. */
const FILE_TOKENS = 10_000;

/**
 * The size of a prompt in this format: text by its bytes, media by type and size
 * (ai.google.dev/gemini-api/docs/tokens: 258 per picture tile or page, 32 per second of sound, 263 per second of
 * video).
 */
export const sizeOfPrompt = (body: Fields): PromptFacts => {
  const request = camelFields(body);
  const config = camelFields(request['generationConfig']);
  const contents = camelList(request['contents']);
  const tools = camelList(request['tools']);
  if (contents.length > MAX_CONTENTS)
    throw new AppError('invalid_request', 'the request holds too many contents');
  const size = new Size(16);
  size.addContent(request['systemInstruction']);
  for (const content of contents) size.addContent(content);
  for (const part of [request['tools'], config['responseSchema'], config['responseJsonSchema']])
    if (part !== undefined) size.add(measurePrompt(part));
  const readsPages = tools.some((tool) => tool['urlContext'] !== undefined);
  if (readsPages) size.addNamed(FILE_TOKENS);
  if (request['cachedContent'] !== undefined) size.addNamed(CACHED_TOKENS);
  const readsMore = !tools.every((tool) => Object.keys(tool).every((name) => CALLERS_TOOLS.has(name)));
  const { tokens, sound, pictures, most, isElsewhere } = size;
  return {
    inputTokensEstimate: tokens,
    ...(sound > 0 && { soundTokens: sound }),
    ...(pictures > 0 && { pictureTokens: pictures }),
    ...(most !== undefined && !readsMore && { promptTokensMost: most }),
    ...((isElsewhere || readsPages) && { mayFillContext: true }),
  };
};

/** Tools that the caller runs. What other tools find is read by the model. */
const CALLERS_TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', 'computerUse']);

type ContentSize = Pick<PromptSize, 'tokens' | 'sound' | 'pictures' | 'most' | 'isElsewhere'>;

/** The size of contents without a prompt around them: those of embeddings. `most` is undefined where one only names a file. */
export const sizeOfContents = (
  contents: readonly unknown[],
  mostOfFile: (type: string) => number = () => Infinity,
): ContentSize => {
  const size = new Size(0, mostOfFile);
  for (const content of contents) size.addContent(content);
  return size;
};

const NO_MEDIA = { sound: 0, pictures: 0 };

type Added = Omit<ContentSize, 'isElsewhere'> & Partial<Pick<ContentSize, 'isElsewhere'>>;

/** Adds up the parts of a prompt. */
class Size {
  tokens: number;
  sound = 0;
  pictures = 0;
  isElsewhere = false;
  /** Undefined once a part only names what is elsewhere. */
  most: number | undefined;

  /** What a file of a type counts at most, however large it is. */
  readonly #mostOfFile: (type: string) => number;

  constructor(tokens: number, mostOfFile: (type: string) => number = () => Infinity) {
    this.tokens = tokens;
    this.most = tokens;
    this.#mostOfFile = mostOfFile;
  }

  add({ tokens, sound, pictures, most, isElsewhere = false }: Added): void {
    this.tokens += tokens;
    this.sound += sound;
    this.pictures += pictures;
    this.isElsewhere ||= isElsewhere;
    this.most = this.most === undefined || most === undefined ? undefined : this.most + most;
  }

  addNamed(tokens: number): void {
    this.add({ tokens, ...NO_MEDIA, most: undefined });
  }

  addContent(content: unknown): void {
    if (typeof content === 'string') return this.add(measurePrompt(content));
    this.#addMarkup(4);
    for (const part of camelList(camelFields(content)['parts'])) this.#addPart(part);
  }

  #addMarkup(tokens: number): void {
    this.add({ tokens, ...NO_MEDIA, most: tokens });
  }

  #addPart(part: Fields): void {
    const { inlineData, fileData, ...beside } = part;
    if (inlineData !== undefined) this.#addInline(camelFields(inlineData));
    if (fileData !== undefined) this.#addFile(camelFields(fileData));
    // Text beside a picture in one part also counts.
    this.#addText(inlineData === undefined && fileData === undefined ? part : beside);
  }

  /** A picture has a size of its own, wherever it is. */
  #addFile(file: Fields): void {
    this.addNamed(FILE_TOKENS);
    this.isElsewhere ||= textOf(file['mimeType'])?.startsWith('image/') !== true;
  }

  #addText(part: Fields): void {
    if (typeof part['text'] === 'string') {
      this.#addMarkup(2);
      return this.add(measurePrompt(part['text']));
    }
    const answered = camelFields(part['functionResponse']);
    if (answered['parts'] === undefined) return this.add(measurePrompt(part));
    const { parts, ...response } = answered;
    this.add(measurePrompt(response));
    this.addContent({ parts });
  }

  #addInline(blob: Fields): void {
    const type = textOf(blob['mimeType']) ?? '';
    const data = textOf(blob['data']) ?? '';
    if (type.startsWith('text/'))
      return this.add({ tokens: Math.ceil(data.length / 2), ...NO_MEDIA, most: data.length });
    const isSound = type.startsWith('audio/');
    const counted = isSound ? soundTokens(data, type) : mediaTokens(type, data.length);
    const mostOfFile = this.#mostOfFile(type);
    const tokens = Math.min(counted, mostOfFile);
    const isFile = !isSound && !type.startsWith('image/') && mostOfFile === Infinity;
    this.add({
      tokens,
      sound: isSound ? tokens : 0,
      pictures: type.startsWith('image/') ? tokens : 0,
      most: Math.max(tokens * DEAREST_MEDIA, isFile ? FILE_MOST_TOKENS : 0),
    });
  }
}

const mediaTokens = (type: string, length: number): number => {
  if (type.startsWith('image/')) return 2000;
  return Math.max(5000, Math.ceil(length / 20));
};
