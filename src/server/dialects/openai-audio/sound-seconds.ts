/** Compressed speech is seldom under 64 kbit/s; a sound whose length nobody tells is taken to have that. */
const BYTES_PER_SECOND = 8000;
const WAV_HEAD_BYTES = 44;

/** How long a sound is, in seconds: of a WAV file from its head, of any other from its size. */
export const soundSeconds = (length: number, head: Buffer): number => {
  const isWav =
    head.length >= WAV_HEAD_BYTES &&
    head.toString('latin1', 0, 4) === 'RIFF' &&
    head.toString('latin1', 8, 12) === 'WAVE';
  const told = isWav ? head.readUInt32LE(28) : 0;
  return length / (told >= 1000 ? told : BYTES_PER_SECOND);
};

/** Tokens of heard sound, as the family counts: 1000 a minute, seconds begun count whole. */
export const heardTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * 1000);
