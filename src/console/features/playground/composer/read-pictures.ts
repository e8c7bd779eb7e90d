/** Limits of the pictures in a request: number and size. */
export const PICTURES_MAX = 6;
const LONGEST_SIDE = 2048;
const UNCHANGED_BYTES = 1024 * 1024;
const kinds: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('the file does not read'));
    reader.readAsDataURL(blob);
  });

/** Scales a large picture down to a JPEG; a small one in a common format stays unchanged. */
const readPicture = async (file: Blob): Promise<string> => {
  if (file.size <= UNCHANGED_BYTES && kinds.has(file.type)) return dataUrl(file);
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return dataUrl(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.88 }));
};

export const isPicture = (file: File): boolean => file.type.startsWith('image/');

/** Reads pictures as data URLs. Rejects if the browser cannot read one of them. */
export const readPictures = (files: readonly File[]): Promise<string[]> =>
  Promise.all(files.map(readPicture));
