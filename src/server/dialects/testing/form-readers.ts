/** A server's reading of a form: the texts by name, and the file names. */
export interface ReadForm {
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly files: readonly string[];
}

type Reader = (contentType: string, body: Buffer) => ReadForm | Promise<ReadForm>;

const gathered = (parts: readonly { name: string; value: string; isFile: boolean }[]): ReadForm => {
  const texts: Record<string, string[]> = {};
  const files: string[] = [];
  for (const { name, value, isFile } of parts) {
    if (isFile) files.push(name);
    else (texts[name] ??= []).push(value);
  }
  return { texts, files };
};

const text = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();

/** Node's own parser, following the Fetch standard strictly. */
const byNode: Reader = async (contentType, body) => {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  return gathered(
    [...form].map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : '',
      isFile: typeof value !== 'string',
    })),
  );
};

/** A line-by-line parser as in RFC 2046 that reads parameters character by character. */
const byLines: Reader = (contentType, body) => {
  const parameters = (value: string): Map<string, string> => {
    const found = new Map<string, string>();
    let [name, content, isQuoted, isValue] = ['', '', false, false];
    const keep = (): void => {
      if (isValue) found.set(name.trim().toLowerCase(), content);
      [name, content, isValue] = ['', '', false];
    };
    for (let at = 0; at < value.length; at += 1) {
      const each = value.charAt(at);
      if (isQuoted && each === '\\') content += value.charAt((at += 1));
      else if (isQuoted && each === '"') isQuoted = false;
      else if (isQuoted) content += each;
      else if (each === ';') keep();
      else if (each === '"') isQuoted = true;
      else if (each === '=' && !isValue) isValue = true;
      else if (isValue) content += each;
      else name += each;
    }
    keep();
    return found;
  };
  const mark = `--${parameters(contentType).get('boundary') ?? ''}`;
  const parts: { name: string; value: string; isFile: boolean }[] = [];
  let [head, lines]: [string[] | undefined, string[] | undefined] = [undefined, undefined];
  for (const line of body.toString('latin1').split('\r\n')) {
    if (line === mark || line === `${mark}--`) {
      const told = parameters(head?.find((each) => /^content-disposition:/i.test(each)) ?? '');
      if (lines !== undefined)
        parts.push({
          name: told.get('name') ?? '',
          value: text(lines.join('\r\n')),
          isFile: told.has('filename'),
        });
      if (line !== mark) break;
      [head, lines] = [[], undefined];
    } else if (lines !== undefined) lines.push(line);
    else if (line === '') lines = [];
    else head?.push(line);
  }
  return gathered(parts);
};

/** A careless parser: takes the first thing that looks like a boundary or name, and accepts any line end. */
const byFirstLook: Reader = (contentType, body) => {
  const boundary = /boundary="?([^";,\s]+)/i.exec(contentType)?.[1] ?? '';
  const pieces = body.toString('latin1').split(`--${boundary}`).slice(1);
  return gathered(
    pieces
      .filter((piece) => !piece.startsWith('--'))
      .map((piece) => {
        const [, head = '', value = ''] = /^\r?\n([^]*?)\r?\n\r?\n([^]*)$/.exec(piece) ?? [];
        return {
          name: /name="?([^";\r\n]*)/i.exec(head)?.[1] ?? '',
          value: text(value.replace(/\r?\n$/, '')),
          isFile: /filename/i.test(head),
        };
      }),
  );
};

/** Careless in another way: takes the last boundary, header and name, and reads list names as lists. */
const byLastLook: Reader = (contentType, body) => {
  const boundary = [...contentType.matchAll(/boundary\s*=\s*"?([^";,\s]+)/gi)].at(-1)?.[1] ?? '';
  const pieces = body
    .toString('latin1')
    .split(new RegExp(`(?:^|\\r|\\n)--${boundary.replaceAll(/\W/g, '\\$&')}`));
  return gathered(
    pieces
      .slice(1)
      .filter((piece) => !piece.startsWith('--'))
      .map((piece) => {
        const end = piece.search(/\r?\n\r?\n/);
        const head = piece.slice(0, end);
        const disposition =
          head.split(/\r?\n/).findLast((line) => /^\s*content-disposition/i.test(line)) ?? '';
        const name = [...disposition.matchAll(/[^a-z]name\s*=\s*"?([^";]*)/gi)].at(-1)?.[1] ?? '';
        const value = piece.slice(end).replace(/^\r?\n\r?\n/, '');
        return {
          name: name.trim(),
          value: text(value.replace(/\r$/, '')),
          isFile: /filename/i.test(disposition),
        };
      }),
  );
};

/** Parsers that read forms differently, as servers do. */
export const formReaders: Readonly<Record<string, Reader>> = { byNode, byLines, byFirstLook, byLastLook };
