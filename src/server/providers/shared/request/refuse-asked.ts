import type { Fields } from '#core/json/fields.ts';
import { cannot } from './cannot.ts';

/** What asks for no more than leaving the field out: OpenAI's defaults, and the words of older clients for them. */
const USUAL: Readonly<Record<string, readonly unknown[]>> = {
  quality: ['auto', 'default', 'standard'],
  background: ['auto', 'opaque'],
  output_format: ['png'],
  input_fidelity: ['low'],
  speed: [1, '1'],
};

/** What a transcript says beside its text, which an answer of a text alone cannot. */
export const OF_JSON = [
  'include',
  'timestamp_granularities',
  'known_speaker_names',
  'known_speaker_references',
] as const;

const isUsual = (name: string, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  USUAL[name]?.includes(value) === true;

/** Throws `invalid_request` for the first of these fields that asks for something, at an upstream that has no such setting. */
export const refuseAsked = (body: Fields, names: readonly string[]): void => {
  for (const [written, value] of Object.entries(body)) {
    // Forms write a list as `name[]`.
    const [name = ''] = written.split('[', 1);
    if (names.includes(name) && !isUsual(name, value))
      throw cannot(name, 'this upstream has no such setting');
  }
};
