import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** More of a core than this used by something else, and a figure says nothing. */
const MOST_OTHERS = 0.04;
const TRIES = 6;
/** /proc counts in hundredths of a second. */
const TICK_MS = 10;

/** What a run has had to repeat, and what stayed disturbed all the same. */
export class Quiet {
  measured = 0;
  repeated = 0;
  disturbed = 0;
  readonly #isStrict: boolean;

  /** `isStrict` false takes every round as it comes, for a busy machine where ratios within a round must do. */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Measures again while somebody else uses the cores, a few times at most. */
  async measure<Figure>(work: () => Promise<Figure>): Promise<Figure> {
    this.measured += 1;
    for (let tries = 1; ; tries += 1) {
      const before = { busy: busyTicks(), own: ownTicks(), ms: performance.now() };
      const figure = await work();
      const elapsedMs = performance.now() - before.ms;
      const othersMs = (busyTicks() - before.busy - (ownTicks() - before.own)) * TICK_MS;
      if (!this.#isStrict || othersMs <= MOST_OTHERS * elapsedMs * cpus().length) return figure;
      if (tries === TRIES) {
        this.disturbed += 1;
        return figure;
      }
      this.repeated += 1;
    }
  }

  toString(): string {
    if (!this.#isStrict) return 'Rounds were taken as they came, also where something else used the cores.';
    const left = this.disturbed === 0 ? '' : `; ${this.disturbed} stayed disturbed after ${TRIES} tries`;
    return (
      `Of ${this.measured} measurements, ${this.repeated} were repeated because something else used more than ` +
      `${MOST_OTHERS * 100} % of the cores${left}.`
    );
  }
}

/** What all cores did, stolen time included. */
const busyTicks = (): number => {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .map(Number);
  return user + nice + system + irq + soft + steal;
};

/** What this program and all it started used, those that have ended included. */
const ownTicks = (): number => {
  const processes = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const ticks = fields.slice(11, 15).reduce((total, each) => total + each, 0);
      processes.set(Number(name), { parent: fields[1] ?? 0, ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOwn = (pid: number): boolean =>
    pid === process.pid || (processes.has(pid) && isOwn(processes.get(pid)?.parent ?? 0));
  return [...processes].reduce((total, [pid, { ticks }]) => total + (isOwn(pid) ? ticks : 0), 0);
};
