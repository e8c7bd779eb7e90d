import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** If other programs use more of a core than this, a figure is not usable. */
const MOST_OTHERS = 0.04;
const TRIES = 6;
/** /proc counts in hundredths of a second. */
const TICK_MS = 10;

/** The measurements a run had to repeat, and those that were still disturbed. */
export class Quiet {
  measured = 0;
  repeated = 0;
  disturbed = 0;
  readonly #isStrict: boolean;

  /** `isStrict` false keeps every round: on a busy machine only ratios within a round can be used. */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Repeats a measurement, a few times at most, while other programs use the cores. */
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

/** The busy time of all cores, including stolen time. */
const busyTicks = (): number => {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .map(Number);
  return user + nice + system + irq + soft + steal;
};

/** The processor time of this program and its children, including those that have ended. */
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
      // It has ended in the meantime.
    }
  }
  const isOwn = (pid: number): boolean =>
    pid === process.pid || (processes.has(pid) && isOwn(processes.get(pid)?.parent ?? 0));
  return [...processes].reduce((total, [pid, { ticks }]) => total + (isOwn(pid) ? ticks : 0), 0);
};
