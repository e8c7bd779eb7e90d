import { expect, it } from 'vitest';
import { pictureSize } from './picture-head.ts';
import { gifOf, jpegOf, pngOf, webpOf } from './testing/picture-heads.ts';

const files = {
  png: pngOf(4032, 3024),
  gif: gifOf(4032, 3024),
  'baseline jpeg': jpegOf(4032, 3024),
  'progressive jpeg': jpegOf(4032, 3024, 0xc2),
  'lossy webp': webpOf.lossy(4032, 3024),
  'lossless webp': webpOf.lossless(4032, 3024),
  'extended webp': webpOf.extended(4032, 3024),
};

it.each(Object.entries(files))(
  'the size of a %s is read from its head, at any offset of its base64',
  (_, file) => {
    expect(pictureSize(file.toString('base64'))).toEqual({ width: 4032, height: 3024 });
    expect(pictureSize(`data:image/x;base64,${file.toString('base64')}`)).toEqual({
      width: 4032,
      height: 3024,
    });
  },
);

it.each([
  ['an address', 'https://example.com/a-picture-with-a-long-name.png?width=100&height=100'],
  ['nothing', ''],
  ['a short text', 'iVBORw0KGgo='],
  ['a picture without a size', pngOf(0, 10).toString('base64')],
  ['another format', Buffer.alloc(4000, 7).toString('base64')],
  ['a jpeg that ends before its picture', jpegOf(10, 10).subarray(0, 65_000).toString('base64')],
  [
    'a jpeg of segments without end',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(90_000, 0xff)]).toString('base64'),
  ],
  [
    'a jpeg whose segment has no length',
    Buffer.from([0xff, 0xd8, ...Array.from({ length: 9000 }, () => [0xff, 0xe0, 0, 0]).flat()]).toString(
      'base64',
    ),
  ],
])('%s has none that is known', (_, data) => {
  expect(pictureSize(data)).toBeUndefined();
});
