const SILK_MS = [10, 20, 40, 60] as const;
const CELT_MS = [2.5, 5, 10, 20] as const;

/** The duration of an Opus packet in seconds, by its first two bytes (RFC 6716, 3.1). */
export const opusSeconds = (first: number, second: number): number => {
  const config = first >> 3;
  const frameMs =
    config >= 16 ? CELT_MS[config & 3] : config >= 12 ? SILK_MS[config & 1] : SILK_MS[config & 3];
  const code = first & 3;
  const frames = code === 0 ? 1 : code === 3 ? second & 63 : 2;
  return ((frameMs ?? 60) * frames) / 1000;
};
