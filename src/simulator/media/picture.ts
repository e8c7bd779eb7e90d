import { crc32, deflateSync } from 'node:zlib';

const SIZE = 256;

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A picture in PNG whose colours come from its name: soft hills under a sky. */
export const picture = (name: string): Buffer => {
  const seed = crc32(name);
  const hue = (seed % 360) / 57.3;
  const rows = Buffer.alloc(SIZE * (SIZE * 3 + 1));
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const at = y * (SIZE * 3 + 1) + 1 + x * 3;
      const layers = [0, 1, 2].filter(
        (layer) => y > SIZE * (0.45 + layer * 0.17) + 16 * Math.sin(x / (22 + layer * 9) + (seed >> layer)),
      ).length;
      const light = 0.92 - layers * 0.2 - (y / SIZE) * 0.12;
      for (let colour = 0; colour < 3; colour += 1)
        rows[at + colour] = Math.round(
          255 * light * (0.7 + 0.3 * Math.cos(hue + colour * 2.1 + layers * 0.6)),
        );
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
