import { AppError } from '#core/error.ts';
import { fileSize, fileTokens } from '../document/file-size.ts';
import { filmSize, filmTokens } from '../document/film-length.ts';
import {
  type Counting,
  DEAREST_MEDIA,
  FILE_MOST_TOKENS,
  measurePrompt,
  PICTURE_MOST_TOKENS,
  type PromptSize,
} from '../openai/usage/estimate-tokens.ts';
import { usualTokens } from '../openai/usage/media-of-part.ts';
import { pictureSize } from '../picture/picture-head.ts';
import { pictureTokens } from '../picture/picture-tokens.ts';
import { MARKUP_TOKENS, mediaFacts, type PromptFacts } from '../openai/prompt-size.ts';
import { textOf, type Fields } from '#core/json/fields.ts';
import { soundTokens } from '../sound/sound-tokens.ts';
import { camelFields, camelList } from './fields.ts';

const MAX_CONTENTS = 100_000;
/** A file at Google may be up to an hour of video; most are documents. Pages that Google reads by their addresses are like them. */
const FILE_TOKENS = 10_000;

/**
 * The size of a prompt in this format: text by its bytes, media by type and size
 * (ai.google.dev/gemini-api/docs/tokens: 258 per picture tile or page, 32 per second of sound, 263 per second of
 * video).
 */
export const sizeOfPrompt = (body: Fields, counting?: Counting): PromptFacts => {
  const request = camelFields(body);
  const config = camelFields(request['generationConfig']);
  const contents = camelList(request['contents']);
  const tools = camelList(request['tools']);
  if (contents.length > MAX_CONTENTS)
    throw new AppError('invalid_request', 'the request holds too many contents');
  const size = new Size(MARKUP_TOKENS, textOf(request['model']), undefined, counting);
  size.addContent(request['systemInstruction']);
  for (const content of contents) size.addContent(content);
  for (const part of [request['tools'], config['responseSchema'], config['responseJsonSchema']])
    if (part !== undefined) size.addValue(part);
  const readsPages = tools.some((tool) => tool['urlContext'] !== undefined);
  if (readsPages) size.addNamed(FILE_TOKENS);
  if ((textOf(request['cachedContent']) ?? '') !== '') size.addKept();
  const readsMore = !tools.every((tool) => Object.keys(tool).every((name) => CALLERS_TOOLS.has(name)));
  const { tokens, most, isElsewhere } = size;
  return {
    inputTokensEstimate: tokens,
    ...mediaFacts(size),
    ...(most !== undefined && !readsMore && { promptTokensMost: most }),
    ...((isElsewhere || readsPages) && { mayFillContext: isElsewhere ? 'files' : 'tools' }),
  };
};

/** Tools that the caller runs. What other tools find is read by the model. */
const CALLERS_TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', 'computerUse']);

type ContentSize = Pick<
  PromptSize,
  'tokens' | 'sound' | 'pictures' | 'morePictures' | 'most' | 'isElsewhere'
>;

/** The size of contents without a prompt around them: those of embeddings. `most` is undefined where one only names a file. */
export const sizeOfContents = (
  contents: readonly unknown[],
  mostOfFile: (type: string) => number = () => Infinity,
): ContentSize => {
  const size = new Size(0, undefined, mostOfFile);
  for (const content of contents) size.addContent(content);
  return size;
};

const NO_MEDIA = { sound: 0, pictures: 0, morePictures: 0 };

type Added = Omit<ContentSize, 'isElsewhere'> & Partial<Pick<ContentSize, 'isElsewhere'>>;

interface FileTokens {
  readonly tokens: number;
  readonly sound?: number;
  readonly pictures: number;
}

/** Adds up the parts of a prompt. */
class Size {
  tokens: number;
  sound = 0;
  pictures = 0;
  morePictures = 0;
  isElsewhere = false;
  /** Undefined once a part only names what is elsewhere. */
  most: number | undefined;

  readonly #model: string | undefined;
  readonly #counting: Counting;
  /** What a file of a type counts at most, however large it is. */
  readonly #mostOfFile: (type: string) => number;

  constructor(
    tokens: number,
    model: string | undefined,
    mostOfFile: (type: string) => number = () => Infinity,
    counting: Counting = 'by bytes',
  ) {
    this.#counting = counting;
    this.#model = model;
    this.tokens = tokens;
    this.most = tokens;
    this.#mostOfFile = mostOfFile;
  }

  add({ tokens, sound, pictures, morePictures, most, isElsewhere = false }: Added): void {
    this.tokens += tokens;
    this.sound += sound;
    this.pictures += pictures;
    this.morePictures += morePictures;
    this.isElsewhere ||= isElsewhere;
    this.most = this.most === undefined || most === undefined ? undefined : this.most + most;
  }

  /** Adds text, or a value that the model reads as text. */
  addValue(value: unknown): void {
    this.add(measurePrompt(value, this.#model, this.#counting));
  }

  addNamed(tokens: number): void {
    this.add({ tokens, ...NO_MEDIA, most: undefined });
  }

  /** Adds what Google keeps of an earlier prompt, of which only the response tells the length. */
  addKept(): void {
    this.addNamed(FILE_TOKENS);
    this.isElsewhere = true;
  }

  addContent(content: unknown): void {
    if (typeof content === 'string') return this.addValue(content);
    this.#addMarkup(4);
    for (const part of camelList(camelFields(content)['parts'])) this.#addPart(part);
  }

  #addMarkup(tokens: number): void {
    this.add({ tokens, ...NO_MEDIA, most: tokens });
  }

  #addPart(part: Fields): void {
    const { inlineData, fileData, ...beside } = part;
    if (inlineData !== undefined) this.#addInline(camelFields(inlineData), part);
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
      return this.addValue(part['text']);
    }
    const answered = camelFields(part['functionResponse']);
    if (answered['parts'] === undefined) return this.addValue(part);
    const { parts, ...response } = answered;
    this.addValue(response);
    this.addContent({ parts });
  }

  #addInline(blob: Fields, part: Fields): void {
    const type = textOf(blob['mimeType']) ?? '';
    const data = textOf(blob['data']) ?? '';
    if (type.startsWith('image/')) return this.#addPicture(data);
    if (type.startsWith('audio/')) {
      const tokens = soundTokens(data, type);
      return this.add({ tokens, ...NO_MEDIA, sound: tokens, most: tokens * DEAREST_MEDIA });
    }
    const mostOfFile = this.#mostOfFile(type);
    const counted = this.#fileSize(data, part);
    const { tokens, sound = 0, pictures } = counted ?? { tokens: usualTokens(data.length), pictures: 0 };
    this.add({
      tokens: Math.min(tokens, mostOfFile),
      ...NO_MEDIA,
      sound: Math.min(sound, mostOfFile),
      pictures: Math.min(pictures, mostOfFile),
      most:
        mostOfFile === Infinity
          ? Math.max(tokens * DEAREST_MEDIA, FILE_MOST_TOKENS)
          : mostOfFile * DEAREST_MEDIA,
      // What cannot be counted may be as long as a file elsewhere.
      isElsewhere: counted === undefined && mostOfFile === Infinity,
    });
  }

  /** What a file or film that is sent along counts as; undefined if that is not known. */
  #fileSize(data: string, { videoMetadata }: Fields): FileTokens | undefined {
    const model = this.#model ?? '';
    const counted = fileSize(data);
    if (counted !== undefined) return fileTokens(model, counted);
    const film = filmSize(data, [camelFields(videoMetadata)['fps']]);
    const seen = film && filmTokens(model, film);
    return seen && { ...seen, tokens: seen.sound + seen.pictures };
  }

  #addPicture(data: string): void {
    const picture = { size: pictureSize(data), isLow: false };
    const { usual, most } = pictureTokens(this.#model ?? '', [picture]);
    const mostCounted = PICTURE_MOST_TOKENS + most;
    this.add({ ...NO_MEDIA, tokens: usual, pictures: usual, morePictures: most - usual, most: mostCounted });
  }
}
