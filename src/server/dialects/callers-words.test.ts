import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { inCallersWords } from './callers-words.ts';
import { chatDialects } from './chat-dialects.ts';

const told = (caller: string, param: string, message = `'${param}': no`): [string | undefined, string] => {
  const error = inCallersWords(new AppError('invalid_request', message, { param, reason: 'r' }), caller);
  return [error.param, error.message];
};

describe('a refusal names the field that the caller sent', () => {
  test.each([
    ['gemini', 'n', 'generationConfig.candidateCount'],
    ['gemini', 'stop', 'generationConfig.stopSequences'],
    ['gemini', 'max_tokens', 'generationConfig.maxOutputTokens'],
    ['gemini', 'max_output_tokens', 'generationConfig.maxOutputTokens'],
    ['gemini', 'messages.3', 'contents'],
    ['gemini', 'input.0.content.1', 'contents'],
    ['gemini', 'file', 'fileData'],
    ['gemini', 'response_format', 'generationConfig.responseSchema'],
    ['gemini', 'tool_choice', 'toolConfig'],
    ['openai-responses', 'messages.3', 'input'],
    ['openai-responses', 'max_tokens', 'max_output_tokens'],
    ['openai-responses', 'max_completion_tokens', 'max_output_tokens'],
    ['openai-responses', 'response_format', 'text.format'],
    ['openai-responses', 'generationConfig.maxOutputTokens', 'max_output_tokens'],
    ['anthropic-messages', 'stop', 'stop_sequences'],
    ['anthropic-messages', 'max_output_tokens', 'max_tokens'],
    ['anthropic-messages', 'input_audio', 'messages'],
    ['openai-chat', 'stop_sequences', 'stop'],
    ['openai-chat', 'generation_config.candidate_count', 'n'],
    ['openai-chat', 'contents.2.parts.0', 'messages'],
  ])('%s callers are told of %s as %s', (caller, param, word) => {
    expect(told(caller, param)).toEqual([word, `'${word}': no`]);
    expect(told(caller, param, `${param}: no`)).toEqual([word, `${word}: no`]);
  });

  test.each([
    ['openai-chat', 'max_completion_tokens'],
    ['openai-chat', 'messages.3'],
    ['openai-chat', 'file_id'],
    ['anthropic-messages', 'max_tokens'],
    ['gemini', 'maxOutputTokens'],
    ['gemini', 'generationConfig.temperature'],
    ['gemini', 'tools.0'],
    ['openai-responses', 'instructions'],
    ['openai-embeddings', 'input'],
    ['rerank', 'max_tokens'],
  ])('%s callers keep %s', (caller, param) => {
    expect(told(caller, param)).toEqual([param, `'${param}': no`]);
  });

  const film = { type: 'file', file: { file_data: 'https://films.example/a.mp4' } };
  const audio = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } };
  const OWN: Readonly<Record<DialectName, RegExp>> = {
    'openai-chat':
      /^(?:messages|tools|n$|stop$|modalities|response_format|file|input_audio|logit_bias|moderation)/,
    'openai-responses': /^(?:input|tools|prompt|store|background|text|top_logprobs|file)/,
    'anthropic-messages': /^(?:messages|tools|stop_sequences|container|mcp_servers)/,
    gemini:
      /^(?:contents|tools|toolConfig|generationConfig|fileData|responseModalities|speechConfig|responseLogprobs|cachedContent)/,
  };
  const user = (part: object): object => ({ messages: [{ role: 'user', content: [part] }] });
  const cases: [DialectName, object][] = [
    ['openai-chat', { ...user({ type: 'text', text: 'a' }), n: 2 }],
    ['openai-chat', { ...user({ type: 'text', text: 'a' }), stop: Array.from({ length: 17 }, String) }],
    ['openai-chat', user(film)],
    ['openai-chat', user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
    ['openai-chat', user({ type: 'odd', odd: 1 })],
    ['openai-responses', { input: [{ role: 'user', content: [{ type: 'input_odd', odd: 1 }] }] }],
    [
      'openai-responses',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.example/a.pdf' }] }] },
    ],
    ['openai-responses', { input: 'a', tools: [{ type: 'code_interpreter' }] }],
    [
      'anthropic-messages',
      { ...user({ type: 'document', source: { type: 'url', url: 'https://a.example/a.pdf' } }), system: 'a' },
    ],
    [
      'anthropic-messages',
      { ...user({ type: 'text', text: 'a' }), stop_sequences: Array.from({ length: 17 }, String) },
    ],
    ['anthropic-messages', { ...user({ type: 'odd', odd: 1 }), system: 'a' }],
    ['gemini', { contents: [{ parts: [{ text: 'a' }] }], generationConfig: { candidateCount: 2 } }],
    ['gemini', { contents: [{ parts: [audio] }] }],
    ['gemini', { contents: [{ parts: [{ odd: 1 }] }] }],
    [
      'gemini',
      {
        contents: [{ parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/a.mp4' } }] }],
      },
    ],
    [
      'gemini',
      {
        contents: [
          { parts: [{ fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/a.pdf' } }] },
        ],
      },
    ],
    [
      'gemini',
      {
        contents: [{ parts: [{ fileData: { mimeType: 'text/plain', fileUri: 'https://a.example/a.txt' } }] }],
      },
    ],
  ];

  const refusedBy = (target: DialectName, caller: DialectName, body: object): string | undefined => {
    try {
      chatDialects[target].writeRequest(chatDialects[caller].readRequest({ model: 'm', ...body }));
      return undefined;
    } catch (thrown) {
      if (thrown instanceof AppError) return inCallersWords(thrown, caller).param;
      throw thrown;
    }
  };

  test.each(cases)('whatever %s cannot be said: %j', (caller, body) => {
    const named = Object.keys(chatDialects).flatMap(
      (target) => refusedBy(target as DialectName, caller, body) ?? [],
    );
    for (const param of named) expect(param).toMatch(OWN[caller]);
  });

  const PDF = 'https://a.example/a.pdf';
  const shown = (target: DialectName, mimeType: string, fileUri: string): unknown => {
    const contents = [{ parts: [{ text: 'a' }, { fileData: { mimeType, fileUri } }] }];
    try {
      return chatDialects[target].writeRequest(chatDialects.gemini.readRequest({ model: 'm', contents }));
    } catch (thrown) {
      return thrown instanceof AppError ? inCallersWords(thrown, 'gemini').param : thrown;
    }
  };

  test('a file by its address is an address where one is understood, and refused where not', () => {
    expect(shown('openai-chat', 'application/pdf', PDF)).toBe('fileData');
    expect(JSON.stringify(shown('openai-responses', 'application/pdf', PDF))).toContain(
      `"file_url":"${PDF}"`,
    );
    expect(JSON.stringify(shown('anthropic-messages', 'application/pdf', PDF))).toContain(
      `"source":{"type":"url","url":"${PDF}"}`,
    );
    expect(shown('anthropic-messages', 'text/plain', 'https://a.example/a.txt')).toBe('contents');
    for (const target of ['openai-chat', 'openai-responses', 'anthropic-messages'] as const) {
      expect(JSON.stringify(shown(target, 'image/png', 'https://a.example/a.png'))).toContain(
        'https://a.example/a.png',
      );
    }
    for (const target of ['openai-responses', 'anthropic-messages'] as const)
      expect(shown(target, 'video/mp4', 'https://a.example/a.mp4')).toBe('contents');
    expect(shown('openai-chat', 'audio/wav', 'https://a.example/a.wav')).toBe('contents');
  });

  test('an address that a chat caller wrote for bytes goes to chat as it was written', () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }] }],
    };
    const chat = chatDialects['openai-chat'];
    expect(chat.writeRequest(chat.readRequest(body))).toMatchObject(body);
  });
});
