/** The parts of heavy bodies and answers. */

export const MEGABYTE = 1024 * 1024;

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const WORDS = 'The quick brown fox jumps over the lazy dog, 42 times a day. ';

export const prose = (characters: number): string =>
  WORDS.repeat(characters / WORDS.length + 1).slice(0, characters);

export const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const CHAT = '/v1/chat/completions';
/** Just below the size that goes to another thread. */
export const HALF_MEGABYTE = 500 * 1024;

/** The models of the measurement, by the way their answers reach a caller of the chat format. */
export const SOURCES = { same: 'repeated', claude: 'from Messages', gem: 'from Gemini' } as const;
export const sources = ['same', 'claude', 'gem'] as const;
