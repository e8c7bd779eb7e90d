import { crc32 } from 'node:zlib';

/** Encodes one message of AWS's binary framing (smithy.io, event stream encoding); headers are text. */
export const encodeMessage = (headers: Readonly<Record<string, string>>, payload: string): Buffer => {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const [key, text] = [Buffer.from(name), Buffer.from(value)];
      const length = Buffer.alloc(3);
      length.writeUInt8(7, 0);
      length.writeUInt16BE(text.length, 1);
      return Buffer.concat([Buffer.from([key.length]), key, length, text]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message), 0);
  return Buffer.concat([message, checksum]);
};
