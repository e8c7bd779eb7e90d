import { all, carried, leftOut, PICTURE, refused, SCHEMA, type RequestField } from './field.ts';

const geminiTools = { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] }] };

const notAtAnthropic = (value: unknown, beside = {}): RequestField =>
  all(
    value,
    { 'openai-chat': 'carried', 'openai-responses': 'carried', 'anthropic-messages': 'refused' },
    beside,
  );

const withPicture = {
  contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] }],
};

/** Every request field of the provider's own client library, and what becomes of it. */
export const geminiFields = {
  contents: carried([{ role: 'user', parts: [{ text: 'another' }] }]),
  systemInstruction: carried({ parts: [{ text: 'be kind' }] }),
  tools: carried(geminiTools.tools),
  'tools.0.googleSearch': all(
    {},
    { 'openai-chat': 'refused', 'openai-responses': 'carried', 'anthropic-messages': 'carried' },
  ),
  'tools.0.googleSearch.timeRangeFilter': refused({ startTime: '2026-01-01T00:00:00Z' }),
  'tools.0.googleSearch.searchTypes': all(
    { imageSearch: {} },
    { 'openai-chat': 'refused', 'openai-responses': 'left out', 'anthropic-messages': 'left out' },
    { tools: [{ googleSearch: {} }] },
  ),
  'tools.0.codeExecution': refused({}),
  'tools.0.urlContext': refused({}),
  'tools.0.functionDeclarations.0.behavior': leftOut('BLOCKING', geminiTools),
  'tools.0.functionDeclarations.0.response': leftOut({ type: 'OBJECT' }, geminiTools),
  'toolConfig.functionCallingConfig': carried({ mode: 'ANY' }, geminiTools),
  'toolConfig.functionCallingConfig.streamFunctionCallArguments': leftOut(true, geminiTools),
  'toolConfig.retrievalConfig': leftOut({ languageCode: 'de' }, geminiTools),
  'toolConfig.includeServerSideToolInvocations': leftOut(true, geminiTools),
  safetySettings: leftOut([{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }]),
  cachedContent: refused('cachedContents/a'),
  labels: leftOut({ team: 'a' }),
  serviceTier: leftOut('flex'),
  store: leftOut(true),
  modelArmorConfig: refused({ promptTemplateName: 'a' }),
  continuationToken: refused('t'),
  'generationConfig.temperature': carried(0.5),
  'generationConfig.topP': carried(0.5),
  'generationConfig.topK': all(5, {
    'openai-chat': 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'carried',
  }),
  'generationConfig.candidateCount': all(2, {
    'openai-chat': 'carried',
    'openai-responses': 'refused',
    'anthropic-messages': 'refused',
  }),
  'generationConfig.maxOutputTokens': carried(99),
  'generationConfig.stopSequences': all(['x'], {
    'openai-chat': 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'carried',
  }),
  'generationConfig.responseLogprobs': notAtAnthropic(true),
  'generationConfig.logprobs': notAtAnthropic(3, { generationConfig: { responseLogprobs: true } }),
  'generationConfig.presencePenalty': all(0.5, {
    'openai-chat': 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'left out',
  }),
  'generationConfig.frequencyPenalty': all(0.5, {
    'openai-chat': 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'left out',
  }),
  'generationConfig.seed': all(7, {
    'openai-chat': 'carried',
    'openai-responses': 'left out',
    'anthropic-messages': 'left out',
  }),
  'generationConfig.responseMimeType': carried('application/json'),
  'generationConfig.responseFormat': carried([{ text: { mimeType: 'application/json', schema: SCHEMA } }]),
  'generationConfig.enableAffectiveDialog': leftOut(true),
  'generationConfig.translationConfig': refused({ targetLanguageCode: 'de' }),
  'generationConfig.responseSchema': carried({ type: 'OBJECT', properties: { a: { type: 'STRING' } } }),
  'generationConfig.responseJsonSchema': carried(SCHEMA),
  'generationConfig.responseModalities': all(['TEXT', 'IMAGE'], {
    'openai-chat': 'carried',
    'openai-responses': 'refused',
    'anthropic-messages': 'refused',
  }),
  'generationConfig.speechConfig': {
    ...refused(
      { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'nova' } } },
      { generationConfig: { responseModalities: ['AUDIO'] } },
    ),
    fate: { 'openai-chat': 'carried', 'openai-responses': 'refused', 'anthropic-messages': 'refused' },
  },
  'generationConfig.mediaResolution': leftOut('MEDIA_RESOLUTION_LOW'),
  'generationConfig.imageConfig': leftOut({ aspectRatio: '1:1' }),
  'generationConfig.audioTimestamp': leftOut(true),
  'generationConfig.audioTranscriptionConfig': leftOut({}),
  'generationConfig.enableEnhancedCivicAnswers': leftOut(true),
  'generationConfig.routingConfig': leftOut({ autoMode: {} }),
  'generationConfig.modelSelectionConfig': leftOut({ featureSelectionPreference: 'BALANCED' }),
  'generationConfig.generationOutputConfig': refused({ gcsUri: 'gs://a' }),
  'generationConfig.thinkingConfig': carried({ thinkingBudget: 2048 }),
  'contents.0.parts.0': carried({ inlineData: { mimeType: 'image/png', data: PICTURE } }),
  'contents.0.parts.2': refused({ fileData: { mimeType: 'application/pdf', fileUri: 'gs://a/b.pdf' } }),
  'contents.0.parts.0.mediaResolution': leftOut({ level: 'MEDIA_RESOLUTION_LOW' }, withPicture),
  'contents.0.parts.1': refused({ partMetadata: { a: 1 } }),
  'contents.0.parts.0.documentMetadata': refused({ startPage: 2 }, withPicture),
  'contents.0.parts.0.audioMetadata': refused({ startOffset: '1s' }, withPicture),
  'contents.0.parts.0.spreadsheetMetadata': refused({ sheetIndex: 1 }, withPicture),
  'contents.0.parts.0.document_metadata': refused({ startPage: 2 }, withPicture),
} satisfies Record<string, RequestField>;
