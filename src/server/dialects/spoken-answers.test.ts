import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';

const { 'openai-chat': chat, gemini } = chatDialects;
const SAMPLES = 'audio/L16;codec=pcm;rate=24000';

const asked = (audio: Fields, stream = false): Fields => ({
  model: 'm',
  stream,
  messages: [{ role: 'user', content: 'say it' }],
  modalities: ['text', 'audio'],
  audio,
});
const askedByGemini = (speechConfig: Fields): Fields => ({
  model: 'm',
  stream: false,
  contents: [{ role: 'user', parts: [{ text: 'say it' }] }],
  generationConfig: { responseModalities: ['AUDIO'], speechConfig },
});
const voice = (voiceName: string): Fields => ({ voiceConfig: { prebuiltVoiceConfig: { voiceName } } });

const messageOf = (reply: unknown): Fields =>
  fieldsOf(fieldsOf(listOf(fieldsOf(reply)['choices'])[0])['message']);

/** The answer of one of Google's speech models, in two pieces. */
const spoken = (): ChatEvent[] =>
  gemini.readWhole([
    {
      candidates: [{ content: { parts: [{ inlineData: { mimeType: SAMPLES, data: 'AQ==' } }] } }],
      responseId: 'r',
    },
    {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: SAMPLES, data: 'AgME' } }] }, finishReason: 'STOP' },
      ],
    },
  ]);

describe('a chat caller has a Gemini upstream speak', () => {
  test('with the voice it names, unless that is one of OpenAI', () => {
    const written = (audio: Fields) =>
      gemini.writeRequest(chat.readRequest(asked(audio)))['generationConfig'];
    expect(written({ voice: 'Kore', format: 'wav' })).toEqual({
      responseModalities: ['AUDIO'],
      speechConfig: voice('Kore'),
    });
    expect(written({ voice: 'alloy', format: 'pcm16' })).toEqual({ responseModalities: ['AUDIO'] });
  });

  test('and hears all of it in one file, or its samples', () => {
    const heard = (format: string): Fields =>
      fieldsOf(
        messageOf(chat.writeWhole(spoken(), chat.readRequest(asked({ voice: 'Kore', format }))))['audio'],
      );
    const file = Buffer.from(String(heard('wav')['data']), 'base64');
    expect(file.toString('latin1', 0, 4)).toBe('RIFF');
    expect(file.readUInt32LE(24)).toBe(24_000);
    expect([...file.subarray(44)]).toEqual([1, 2, 3, 4]);
    expect(file.readUInt32LE(40)).toBe(4);
    expect(heard('pcm16')).toEqual({
      id: 'audio_r',
      data: Buffer.from([1, 2, 3, 4]).toString('base64'),
      transcript: '',
      expires_at: 0,
    });
  });

  test('in pieces as they come', () => {
    const writer = chat.openWriter();
    const pieces = spoken()
      .flatMap((event) => writer.write(event))
      .map(({ data }) =>
        fieldsOf(fieldsOf(listOf(fieldsOf(JSON.parse(data.toString()))['choices'])[0])['delta']),
      )
      .flatMap((delta) => (delta['audio'] === undefined ? [] : [delta['audio']]));
    expect(pieces).toEqual([
      { id: 'audio_r', data: 'AQ==' },
      { id: 'audio_r', data: 'AgME' },
    ]);
  });

  test.each([
    ['mp3', false],
    ['wav', true],
  ])('not as %s, streamed %s: that is refused by its name', (format, stream) => {
    const request = chat.readRequest(asked({ voice: 'Kore', format }, stream));
    expect(() => gemini.writeRequest(request)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'audio.format' }),
    );
  });
});

describe('a Gemini caller has a chat upstream speak', () => {
  test('with the voice it names, unless that is one of Google', () => {
    const written = (name: string) => chat.writeRequest(gemini.readRequest(askedByGemini(voice(name))));
    expect(written('nova')).toMatchObject({
      modalities: ['text', 'audio'],
      audio: { voice: 'nova', format: 'pcm16' },
    });
    expect(written('Kore')).toMatchObject({ audio: { voice: 'alloy', format: 'pcm16' } });
  });

  test('and hears its samples, the words beside them', () => {
    const audio = { id: 'audio_1', data: 'AQID', transcript: 'Hi', expires_at: 1 };
    const message = { role: 'assistant', content: null, audio };
    const events = chat.readWhole({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] });
    const reply = fieldsOf(gemini.writeWhole(events, gemini.readRequest(askedByGemini(voice('Kore')))));
    expect(fieldsOf(fieldsOf(listOf(reply['candidates'])[0])['content'])['parts']).toEqual([
      { text: 'Hi' },
      { inlineData: { mimeType: SAMPLES, data: 'AQID' } },
    ]);
  });

  test('not with several voices: that is refused by its name', () => {
    const request = gemini.readRequest(askedByGemini({ multiSpeakerVoiceConfig: {} }));
    expect(() => chat.writeRequest(request)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'speechConfig' }),
    );
  });
});

test.each(['openai-responses', 'anthropic-messages'] as const)('an upstream of %s cannot speak', (name) => {
  for (const [request, param] of [
    [chat.readRequest(asked({ voice: 'nova', format: 'wav' })), 'modalities'],
    [gemini.readRequest(askedByGemini(voice('Kore'))), 'responseModalities'],
  ] as const)
    expect(() => chatDialects[name].writeRequest(request)).toThrow(expect.objectContaining({ param }));
});
