import { deflateRawSync, deflateSync } from 'node:zlib';

/* Small files as programs write them. */

interface PdfPlan {
  readonly pages: number;
  readonly text?: string;
  /** Packs streams, and objects into a stream of them. */
  readonly isPacked?: boolean;
  /** Every page shows the same stream. */
  readonly isShared?: boolean;
  /** The tree of pages has levels of ten, each of which is ten times the same one below. */
  readonly levels?: number;
  readonly more?: string;
}

const streamOf = (content: string, isPacked: boolean, more = ''): string => {
  const bytes = isPacked ? deflateSync(Buffer.from(content, 'latin1')) : Buffer.from(content, 'latin1');
  const filter = isPacked ? '/Filter/FlateDecode' : '';
  return `<<${filter}${more}/Length ${String(bytes.length)}>>stream\n${bytes.toString('latin1')}\nendstream`;
};

/** A PDF with so many pages, each of which shows a text. */
export const pdfOf = ({
  pages,
  text = '',
  isPacked = false,
  isShared = false,
  levels = 0,
  more = '',
}: PdfPlan): Buffer => {
  const plain: string[] = [];
  const objects: [number, string][] = [];
  const stream = (number: number, content: string): void => {
    plain.push(`${String(number)} 0 obj${streamOf(content, isPacked)}endobj`);
  };
  const kids: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const [leaf, content] = [1000 + page, isShared ? 100_000 : 100_000 + page];
    kids.push(`${String(leaf)} 0 R`);
    objects.push([leaf, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${String(content)} 0 R>>`]);
    if (!isShared || page === 0) stream(content, `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`);
  }
  const count = pages * 10 ** levels;
  objects.push([1, `<</Type/Catalog/Pages ${String(2 + levels)} 0 R>>`]);
  objects.push([2, `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${String(pages)}>>`]);
  for (let level = 1; level <= levels; level += 1)
    objects.push([
      2 + level,
      `<</Type/Pages/Kids[${`${String(1 + level)} 0 R `.repeat(10)}]/Count ${String(level === levels ? count : 1)}>>`,
    ]);
  if (isPacked) {
    const bodies = objects.map(([, body]) => body);
    let at = 0;
    const heads = objects.map(([number], index) => {
      const head = `${String(number)} ${String(at)}`;
      at += (bodies[index] ?? '').length + 1;
      return head;
    });
    const first = `${heads.join(' ')}\n`;
    const about = `/Type/ObjStm/N ${String(objects.length)}/First ${String(first.length)}`;
    plain.push(`90 0 obj${streamOf(`${first}${bodies.join('\n')}`, true, about)}endobj`);
  } else plain.push(...objects.map(([number, body]) => `${String(number)} 0 obj\n${body}\nendobj`));
  return Buffer.from(`%PDF-1.7\n${plain.join('\n')}\n${more}\nstartxref\n0\n%%EOF`, 'latin1');
};

/** A ZIP archive of these files. */
export const zipOf = (files: Readonly<Record<string, string>>): Buffer => {
  const [heads, list]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(Buffer.from(text));
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(Buffer.byteLength(text), 8);
    sizes.writeUInt16LE(name.length, 12);
    const head = Buffer.concat([
      Buffer.from('PK\u0003\u0004\u0014\0\0\0\u0008\0\0\0\0\0', 'latin1'),
      sizes,
      Buffer.from(name),
      packed,
    ]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    list.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002\u0014\0\u0014\0\0\0\u0008\0\0\0\0\0', 'latin1'),
        sizes,
        place,
        Buffer.from(name),
      ]),
    );
    heads.push(head);
    at += head.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(Buffer.concat(list).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...heads, ...list, end]);
};
