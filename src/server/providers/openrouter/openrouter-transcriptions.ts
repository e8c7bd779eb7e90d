import type { LoadedFile } from '../../dialects/form/form.ts';
import { ownOf, type Fields, numberOf } from '#core/json/fields.ts';
import { filesOf } from '../shared/request/form-files.ts';
import { OF_JSON, refuseAsked } from '../shared/request/refuse-asked.ts';
import { cannot } from '../shared/request/cannot.ts';

/** Audio formats by media type, for files whose name has no known extension. */
const FORMATS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
};

const formatOf = ({ filename, mediaType }: LoadedFile): string =>
  /\.(\w{2,5})$/.exec(filename)?.[1]?.toLowerCase() ?? ownOf(FORMATS, mediaType) ?? 'mp3';

/**
 * Writes a transcription request: callers send a form, OpenRouter takes JSON (openrouter.ai/docs, transcriptions). Throws
 * `invalid_request` for reply formats other than JSON, and for a stream.
 */
export const writeTranscription = (body: Fields): Fields => {
  const [file] = filesOf(body) ?? [];
  if (file === undefined) return body;
  const { model, language, temperature, response_format: format = 'json' } = body;
  if (format !== 'json') throw cannot('response_format', 'this upstream answers in json');
  if (body['stream'] === true) throw cannot('stream', 'this upstream answers whole');
  refuseAsked(body, ['prompt', ...OF_JSON]);
  return {
    model,
    input_audio: { data: file.bytes.toString('base64'), format: formatOf(file) },
    ...(language !== undefined && { language }),
    ...(temperature !== undefined && { temperature: numberOf(temperature) }),
  };
};
