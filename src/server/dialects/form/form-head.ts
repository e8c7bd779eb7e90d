import { AppError } from '#core/error.ts';
import { parseHeaderValue } from '../header-value.ts';

/** The headers of a form part. */
export interface FormHead {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  /** Without parameters; undefined if there is none. */
  readonly mediaType: string | undefined;
}

/** The characters allowed in a boundary (RFC 2046, 5.1.1). */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;
const FORM_PARAMETERS: ReadonlySet<string> = new Set(['boundary', 'charset']);
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)/s;
/** Real field names need no more; readers treat other characters (spaces, dots, other scripts) differently. */
const FIELD_NAME = /^[A-Za-z0-9_.-]{1,64}(?:\[[A-Za-z0-9_]{0,64}\]){0,4}$/;
const PART_PARAMETERS: ReadonlySet<string> = new Set(['name', 'filename', 'filename*']);
const UTF8 = /^(?:utf-?8|us-ascii)$/i;
/** Encodings that leave bytes as they are; only some readers decode the others. */
const UNCODED = /^(?:binary|8bit|7bit)$/i;
const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,63}$/;
/**
 * What is removed from a file name: everything but letters and digits of any script, and signs that are safe for all
 * readers. Browsers and undici write quotes and line breaks as three characters.
 */
const ODD_IN_FILENAME = /%(?:22|0D|0A)|[^\p{L}\p{M}\p{N} ._()@+-]/giu;
const MOST_OF_FILENAME = 200;

/** The refusal of a form that does not read. */
export const brokenForm = (why: string): AppError =>
  new AppError('invalid_request', `the form is not valid: ${why}`);

/** The boundary in a content type. Throws `invalid_request` if there is none, or other parameters. */
export const boundaryIn = (contentType: string): string => {
  const type = parseHeaderValue(contentType);
  if (type === undefined) throw brokenForm('its content type cannot be read in one way only');
  const odd = [...type.parameters.keys()].find((name) => !FORM_PARAMETERS.has(name));
  if (odd !== undefined) throw brokenForm(`its content type has a parameter '${odd}'`);
  if (!UTF8.test(type.parameters.get('charset') ?? 'utf-8')) throw brokenForm('its texts must be UTF-8');
  const boundary = type.parameters.get('boundary');
  if (boundary === undefined) throw brokenForm('it names no boundary');
  if (!BOUNDARY.test(boundary)) throw brokenForm('its boundary is not one');
  return boundary;
};

/** Parses the headers of a part (RFC 7578, 4.2). Throws `invalid_request` if readers would differ on them. */
export const readFormHead = (text: string): FormHead => {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    // Readers differ on bare line breaks, folded lines and control characters.
    if (name === undefined || /[^\t\P{Cc}]/u.test(value)) throw brokenForm('the head of a part is not one');
    if (headers.has(name.toLowerCase())) throw brokenForm(`a part has '${name}' twice`);
    headers.set(name.toLowerCase(), value.trim());
  }
  if (!UNCODED.test(headers.get('content-transfer-encoding') ?? 'binary'))
    throw brokenForm('a part has a transfer encoding');
  return {
    ...disposition(headers.get('content-disposition')),
    mediaType: mediaType(headers.get('content-type')),
  };
};

const PLAIN_NAME = /form-data; name=(?:"[\w.[\]-]+"|[\w.-]+)/;
const PLAIN_FILENAME = /; filename=(?:"[\p{L}\p{M}\p{N} ._()@+-]+"|[\w.-]+)/u;
const PLAIN_LINES = [
  new RegExp(
    `^content-disposition: ${PLAIN_NAME.source}(?:${PLAIN_FILENAME.source})?(?:; filename\\*=utf-8''[\\w.%-]+)?$`,
    'iu',
  ),
  /^content-type: ?[\w.+-]+\/[\w.+-]+(?:; ?charset=utf-8)?$/i,
  /^content-length: ?\d+$/i,
  /^content-transfer-encoding: ?(?:binary|8bit|7bit)$/i,
];

/** Whether a careless reader also reads these headers as `readFormHead` did. */
export const isPlainHead = (text: string): boolean =>
  text.split('\r\n').every((line) => PLAIN_LINES.some((plain) => plain.test(line)));

const disposition = (text: string | undefined): Pick<FormHead, 'name' | 'filename'> => {
  const read = text === undefined ? undefined : parseHeaderValue(text);
  if (read?.value !== 'form-data') throw brokenForm('a part does not say what it is in one way only');
  const { parameters } = read;
  const odd = [...parameters.keys()].find((name) => !PART_PARAMETERS.has(name));
  if (odd !== undefined) throw brokenForm(`a part has a parameter '${odd}'`);
  const name = parameters.get('name');
  if (name === undefined) throw brokenForm('a part has no name');
  if (!FIELD_NAME.test(name)) throw brokenForm(`a part has an odd name, '${name.slice(0, 64)}'`);
  const filename = parameters.get('filename');
  // Beside `filename` it is a repetition (.NET sends both); alone, readers differ on whether it is a file.
  if (filename === undefined && parameters.has('filename*'))
    throw brokenForm(`'${name}' has no plain filename`);
  return { name, filename: filename === undefined ? undefined : plainFilename(filename) };
};

/**
 * Never empty, because some readers take a file without a name for a text. Keeps the extension, which gives the type.
 */
const plainFilename = (filename: string): string =>
  filename.replaceAll(ODD_IN_FILENAME, '_').slice(-MOST_OF_FILENAME).trim() || 'file';

const mediaType = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined;
  const read = parseHeaderValue(text);
  if (read === undefined || !MEDIA_TYPE.test(read.value)) throw brokenForm('a part has an odd content type');
  if (!UTF8.test(read.parameters.get('charset') ?? 'utf-8')) throw brokenForm('its texts must be UTF-8');
  return read.value;
};

/** The headers we write for a part. */
export const writeFormHead = ({ name, filename, mediaType: type }: FormHead): string => {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const contentType = filename === undefined || type === undefined ? '' : `\r\ncontent-type: ${type}`;
  return `content-disposition: form-data; name="${name}"${file}${contentType}\r\n\r\n`;
};
