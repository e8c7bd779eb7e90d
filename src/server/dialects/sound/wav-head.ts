const WAV_HEAD_BYTES = 44;

/** Integer and floating-point samples: all samples have the same size. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3]);
/** The extensible header states the format after it, in the first bytes of an id that ends like this. */
const EXTENSIBLE = 0xfffe;
const SUBFORMAT_AT = 44;
const SUBFORMAT_REST = '000000001000800000aa00389b71';
const SAMPLE_BITS: ReadonlySet<number> = new Set([8, 16, 24, 32, 64]);
const MOST_SAMPLES_PER_SECOND = 384_000;
const MOST_CHANNELS = 32;

const formatOf = (head: Buffer): number | undefined => {
  const format = head.readUInt16LE(20);
  if (format !== EXTENSIBLE) return format;
  const rest = head.toString('hex', SUBFORMAT_AT + 2, SUBFORMAT_AT + 16);
  return rest === SUBFORMAT_REST ? head.readUInt16LE(SUBFORMAT_AT) : undefined;
};

/**
 * The bytes per second of an uncompressed WAV file, from its head; undefined for any other file. Decoders go
 * by the sample format, so a header whose byte rate differs from it is rejected.
 */
const bytesPerSecond = (head: Buffer): number | undefined => {
  const isWav =
    head.length >= WAV_HEAD_BYTES &&
    head.toString('latin1', 0, 4) === 'RIFF' &&
    head.toString('latin1', 8, 16) === 'WAVEfmt ';
  const format = isWav ? formatOf(head) : undefined;
  if (format === undefined || !UNCOMPRESSED.has(format)) return undefined;
  const [channels, samples, bits] = [head.readUInt16LE(22), head.readUInt32LE(24), head.readUInt16LE(34)];
  const bytes = (samples * channels * bits) / 8;
  const isPossible =
    SAMPLE_BITS.has(bits) && channels <= MOST_CHANNELS && samples <= MOST_SAMPLES_PER_SECOND && bytes >= 1000;
  return isPossible && bytes === head.readUInt32LE(28) ? bytes : undefined;
};

const FMT_AT = 12;

/**
 * Where the samples begin according to the first bytes, else the earliest possible place. Stated lengths of parts
 * beyond those bytes are not trusted.
 */
const samplesAt = (head: Buffer): number => {
  let at = FMT_AT;
  while (at + 8 <= head.length) {
    if (head.toString('latin1', at, at + 4) === 'data') return at + 8;
    const length = head.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return WAV_HEAD_BYTES;
};

/** How long an uncompressed WAV file of so many bytes plays; undefined for any other file. */
export const wavSeconds = (head: Buffer, bytes: number): number | undefined => {
  const perSecond = bytesPerSecond(head);
  return perSecond === undefined ? undefined : Math.max(0, bytes - samplesAt(head)) / perSecond;
};
