import { Untold } from './inflate.ts';

/** Boxes whose content is boxes (ISO 14496-12). */
const ENTERED: ReadonlySet<string> = new Set([
  'moov',
  'trak',
  'edts',
  'mdia',
  'minf',
  'stbl',
  'mvex',
  'moof',
  'traf',
]);
/** Each table of a file is read once, as long as it has no more entries than a film of many hours. */
const MOST_ENTRIES = 2_000_000;
const MOST_BOXES = 100_000;
const FILM = Buffer.from('moov');
/** A duration that nobody knew yet. */
const UNKNOWN_LENGTH = 0xffff_ffff;

export const isMp4 = (head: Buffer): boolean => head.toString('latin1', 4, 8) === 'ftyp';

/** One clock of the film, and the latest moment that its boxes tell, in the ticks of that clock. */
class Track {
  ticksPerSecond = 0;
  /** How long it plays by its header, and by the sum of its samples. */
  ticks = 0;
  sampleTicks = 0;
  /** How much later than its place a sample may be shown. */
  laterTicks = 0;
  samples = 0;
  usualTicks = 0;

  get seconds(): number {
    if (this.ticksPerSecond === 0) throw new Untold();
    return (Math.max(this.ticks, this.sampleTicks) + this.laterTicks) / this.ticksPerSecond;
  }
}

/** The lengths that a file tells, wherever it does: players differ in what they go by. */
class Mp4Length {
  readonly #bytes: Buffer;
  readonly #film = new Track();
  readonly #tracks: Track[] = [];
  readonly #byId = new Map<number, Track>();
  #track = new Track();
  #left = MOST_ENTRIES;
  #boxes = MOST_BOXES;
  #films = 0;
  #filmAt = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): { readonly seconds: number; readonly samples: number } {
    this.#enter(0, this.#bytes.length);
    // A film inside another box is not looked for, but may be found by a player.
    const named = [this.#bytes.indexOf(FILM), this.#bytes.lastIndexOf(FILM)];
    if (this.#films !== 1 || named.some((at) => at !== this.#filmAt + 4)) throw new Untold();
    return {
      seconds: Math.max(this.#film.seconds, ...this.#tracks.map(({ seconds }) => seconds)),
      samples: Math.max(0, ...this.#tracks.map(({ samples }) => samples)),
    };
  }

  #enter(from: number, to: number): void {
    for (let at = from; at + 8 <= to;) {
      if ((this.#boxes -= 1) < 0) throw new Untold();
      const type = this.#bytes.toString('latin1', at + 4, at + 8);
      const short = this.#bytes.readUInt32BE(at);
      if (short === 1 && at + 16 > to) throw new Untold();
      const head = short === 1 ? 16 : 8;
      const size = short === 1 ? Number(this.#bytes.readBigUInt64BE(at + 8)) : short || to - at;
      if (size < head) throw new Untold();
      const end = Math.min(to, at + size);
      if (type === 'moov') [this.#filmAt, this.#films] = [at, this.#films + 1];
      if (type === 'cmov') throw new Untold();
      if (type === 'trak') this.#tracks.push((this.#track = new Track()));
      if (ENTERED.has(type)) this.#enter(at + head, end);
      else this.#box(type, at + head, end);
      at = end;
    }
  }

  #box(type: string, from: number, to: number): void {
    const isLong = from < to && this.#bytes[from] === 1;
    switch (type) {
      case 'mvhd':
        return this.#header(this.#film, from, to, isLong);
      case 'mdhd':
        return this.#header(this.#track, from, to, isLong);
      case 'tkhd':
        this.#byId.set(this.#u32(from + (isLong ? 20 : 12), to), this.#track);
        return this.#tells(this.#film, this.#length(from + (isLong ? 28 : 20), to, isLong));
      case 'mehd':
        return this.#tells(this.#film, this.#length(from + 4, to, isLong));
      case 'elst':
        return this.#edits(from, to, isLong);
      case 'stts':
        return this.#durations(from, to);
      case 'ctts':
        return this.#delays(from, to);
      case 'trex':
        this.#named(from, to).usualTicks = this.#u32(from + 12, to);
        return;
      case 'tfhd':
        return this.#fragment(from, to);
      case 'tfdt':
        return this.#tells(this.#track, this.#length(from + 4, to, isLong));
      case 'trun':
        return this.#run(from, to);
    }
  }

  #u32(at: number, to: number): number {
    if (at + 4 > to) throw new Untold();
    return this.#bytes.readUInt32BE(at);
  }

  #length(at: number, to: number, isLong: boolean): number {
    const high = isLong ? this.#u32(at, to) : 0;
    const low = this.#u32(isLong ? at + 4 : at, to);
    return low === UNKNOWN_LENGTH && (!isLong || high === low) ? 0 : high * 2 ** 32 + low;
  }

  #tells(track: Track, ticks: number): void {
    track.ticks = Math.max(track.ticks, ticks);
  }

  #header(track: Track, from: number, to: number, isLong: boolean): void {
    const rate = this.#u32(from + (isLong ? 20 : 12), to);
    // Of two headers the slower one counts.
    track.ticksPerSecond = track.ticksPerSecond === 0 ? rate : Math.min(rate, track.ticksPerSecond);
    this.#tells(track, this.#length(from + (isLong ? 24 : 16), to, isLong));
  }

  /** The entries of a table that begins after so many bytes. */
  *#entries(from: number, to: number, bytesEach: number): Generator<number, void, void> {
    const count = this.#u32(from + 4, to);
    if ((this.#left -= count) < 0 || from + 8 + count * bytesEach > to) throw new Untold();
    for (let at = from + 8, left = count; left > 0; left -= 1, at += bytesEach) yield at;
  }

  /** Parts of a track may be shown several times. */
  #edits(from: number, to: number, isLong: boolean): void {
    let ticks = 0;
    for (const at of this.#entries(from, to, isLong ? 20 : 12)) ticks += this.#length(at, to, isLong);
    this.#tells(this.#film, ticks);
  }

  #durations(from: number, to: number): void {
    const track = this.#track;
    for (const at of this.#entries(from, to, 8)) {
      track.samples += this.#bytes.readUInt32BE(at);
      track.sampleTicks += this.#bytes.readUInt32BE(at) * this.#bytes.readUInt32BE(at + 4);
    }
  }

  #delays(from: number, to: number): void {
    for (const at of this.#entries(from, to, 8))
      this.#track.laterTicks = Math.max(this.#track.laterTicks, Math.abs(this.#bytes.readInt32BE(at + 4)));
  }

  #named(from: number, to: number): Track {
    const track = this.#byId.get(this.#u32(from + 4, to));
    if (track === undefined) throw new Untold();
    return track;
  }

  #fragment(from: number, to: number): void {
    this.#track = this.#named(from, to);
    const flags = this.#u32(from, to);
    const at = from + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
    // The longest counts for those that do not say how long they are.
    if (flags & 8) this.#track.usualTicks = Math.max(this.#track.usualTicks, this.#u32(at, to));
  }

  #run(from: number, to: number): void {
    const flags = this.#u32(from, to) & 0xff_ffff;
    const count = this.#u32(from + 4, to);
    const [hasTicks, hasDelay] = [(flags & 0x100) !== 0, (flags & 0x800) !== 0];
    const bytesEach = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4;
    let at = from + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
    if ((this.#left -= count) < 0 || at + count * bytesEach > to) throw new Untold();
    const track = this.#track;
    track.samples += count;
    for (let left = count; left > 0; left -= 1, at += bytesEach) {
      track.sampleTicks += hasTicks ? this.#bytes.readUInt32BE(at) : track.usualTicks;
      if (!hasDelay) continue;
      const delay = Math.abs(this.#bytes.readInt32BE(at + bytesEach - 4));
      track.laterTicks = Math.max(track.laterTicks, delay);
    }
  }
}

/** The longest that a file says it plays, and its samples. Throws `Untold` where that cannot be said. */
export const mp4Length = (bytes: Buffer): { readonly seconds: number; readonly samples: number } =>
  new Mp4Length(bytes).read();
