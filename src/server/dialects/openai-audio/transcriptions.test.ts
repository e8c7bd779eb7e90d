import { expect, it } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { openaiTranscriptions } from './transcriptions.ts';

const LENGTH = 1_920_044;

/** The head of a WAV file with these samples a second, of 16 bits, and what it says a second has. */
interface Head {
  readonly format?: number;
  readonly channels?: number;
  readonly samples?: number;
  readonly said?: number;
  readonly bits?: number;
}
const wav = ({ format = 1, channels = 1, samples = 16_000, said, bits = 16 }: Head = {}): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(samples, 24);
  head.writeUInt32LE(said ?? samples * channels * 2, 28);
  head.writeUInt16LE(bits, 34);
  return head;
};
const tokensOf = (head: Buffer): number =>
  openaiTranscriptions.facts({ model: 'm', $files: [{ head, start: 0, end: LENGTH }] }).inputTokensEstimate;
/** As of any sound that is still arriving: 8000 bytes a second. */
const BY_SIZE = Math.round((Math.ceil(LENGTH / 8000) / 60) * 1000);

it.each([
  ['one voice of 16 kHz', wav(), 1000],
  ['two of 48 kHz', wav({ channels: 2, samples: 48_000 }), 167],
  ['no head', Buffer.alloc(44), BY_SIZE],
  ['a head that makes a minute a moment', wav({ said: 0xffff_ffff }), BY_SIZE],
  ['a head that makes it twice as short', wav({ said: 64_000 }), BY_SIZE],
  ['samples nobody hears', wav({ samples: 2_000_000_000, said: 4_000_000_000 }), BY_SIZE],
  ['more voices than there are', wav({ channels: 60_000, samples: 16_000 }), BY_SIZE],
  ['compressed sound', wav({ format: 0x55 }), BY_SIZE],
  ['a longer header that does not say what it is', wav({ format: 0xfffe }), BY_SIZE],
  ['samples of odd size', wav({ bits: 65_528, said: 131_056_000 }), BY_SIZE],
])('%s costs what its samples last', (_, head, tokens) => expect(tokensOf(head)).toBe(tokens));

it('a minute that is not reported, or reported by its seconds, is a minute of sound and not of text', () => {
  const $files = [{ head: Buffer.alloc(44), start: 0, end: 1, seconds: 60 }];
  const sound = { inputTokens: 0, audioInputTokens: 1000 };
  expect(openaiTranscriptions.usageWithoutReport?.({ model: 'gpt-4o-transcribe', $files }, {})).toMatchObject(
    sound,
  );
  const reply = { text: 'Hello', usage: { type: 'duration', seconds: 60 } };
  expect(openaiTranscriptions.tapWhole(reply).usage).toMatchObject(sound);
  expect(openaiTranscriptions.facts({ model: 'm', $files })).toMatchObject({
    inputTokensEstimate: 1000,
    soundTokens: 1000,
  });
});

it.each([
  ['what only the total has', { prompt_tokens: 4, completion_tokens: 635, total_tokens: 3264 }, 4, 2625, 635],
  ['their seconds, beside tokens of words', { prompt_tokens: 8, completion_tokens: 4 }, 8, 1000, 4],
  ['their seconds, beside nothing', {}, 0, 1000, 0],
  [
    'what their details have',
    { prompt_tokens: 11, total_tokens: 386, prompt_tokens_details: { audio_tokens: 375 } },
    11,
    375,
    0,
  ],
])('a minute of sound at Mistral is %s', (_, told, inputTokens, audioInputTokens, outputTokens) => {
  const usage = { ...told, prompt_audio_seconds: 60 };
  const read = openaiTranscriptions.tapWhole({ text: 'Hello', usage }).usage;
  expect(read).toEqual({ ...noUsage, inputTokens, audioInputTokens, outputTokens });
});

const second = wav();
const $files = [{ head: second, start: 0, end: 32_044 }];
const ofLength = Buffer.concat([second, Buffer.alloc(LENGTH - 44)]).toString('base64');

it.each([
  ['file', { file: 'https://files.example/a.mp3' }],
  ['file', {}],
  ['file', { $files: [] }],
  ['url', { $files, url: 'https://files.example/a.mp3' }],
  ['file_url', { $files, file_url: 'https://files.example/a.mp3' }],
  ['Audio-URL', { $files, 'Audio-URL': 'https://files.example/a.mp3' }],
  ['input_audio.url', { input_audio: { url: 'https://files.example/a.mp3' } }],
  ['file', { input_audio: { data: 'https://files.example/a.mp3' } }],
])('sound that is somewhere else, of no known length, is refused: %s', (param, body) => {
  expect(() => openaiTranscriptions.facts({ model: 'm', ...body })).toThrow(`'${param}': the sound must be`);
});

it('sound in JSON is as long as it plays', () => {
  const body = { model: 'm', input_audio: { data: ofLength, format: 'wav' }, url: '' };
  expect(openaiTranscriptions.facts(body)).toMatchObject({ soundTokens: 1000 });
  expect(openaiTranscriptions.usageWithoutReport?.(body, {})).toMatchObject({ audioInputTokens: 1000 });
});
