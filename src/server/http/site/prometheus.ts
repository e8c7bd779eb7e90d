/** Prometheus' text format, version 0.0.4. Hand-written, because it takes only a few lines. */

/** Upper bounds of latency histograms, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;

export interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

/** An empty histogram. */
export const histogram = (): Histogram => ({
  counts: Array.from({ length: BOUNDS.length }, () => 0),
  sum: 0,
  total: 0,
});

/** Records a duration in milliseconds; Prometheus gets seconds. */
export const observe = (target: Histogram, valueMs: number): void => {
  const seconds = valueMs / 1000;
  target.sum += seconds;
  target.total += 1;
  for (let index = 0; index < BOUNDS.length; index += 1) {
    if (seconds <= (BOUNDS[index] ?? 0)) {
      target.counts[index] = (target.counts[index] ?? 0) + 1;
      return;
    }
  }
};

/** A histogram for `/metrics`: each bucket includes the smaller ones. */
export const histogramText = (name: string, help: string, value: Histogram): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...histogramLines(name, '', value)].join('\n');

/** The lines of one set of labels. */
export const histogramLines = (name: string, labels: string, value: Histogram): string[] => {
  const before = labels === '' ? '' : `${labels},`;
  const braces = labels === '' ? '' : `{${labels}}`;
  let below = 0;
  const buckets = BOUNDS.map((bound, index) => {
    below += value.counts[index] ?? 0;
    return `${name}_bucket{${before}le="${String(bound)}"} ${String(below)}`;
  });
  return [
    ...buckets,
    `${name}_bucket{${before}le="+Inf"} ${String(value.total)}`,
    `${name}_sum${braces} ${String(value.sum)}`,
    `${name}_count${braces} ${String(value.total)}`,
  ];
};

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** A label; the three characters with a meaning in the format are escaped in its value. */
export const labelText = (name: string, value: string): string =>
  `${name}="${value.replaceAll(/[\\"\n]/g, (letter) => ESCAPES[letter] ?? letter)}"`;

const plain =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, value: number): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${String(value)}`;

export const counterText = plain('counter');
export const gaugeText = plain('gauge');

/** One line for each set of labels. */
export const labelledText = (name: string, help: string, values: ReadonlyMap<string, number>): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...[...values].map(([labels, value]) => `${name}{${labels}} ${String(value)}`),
  ].join('\n');

/**
 * Joins several pages: values of the same name and labels are added, which is right for counters, histograms, and the
 * number of open calls.
 */
export const addTexts = (pages: readonly string[]): string => {
  const [only, ...more] = pages;
  if (only !== undefined && more.length === 0) return only;
  const families = new Map<string, Map<string, number>>();
  for (const page of pages) {
    let family = new Map<string, number>();
    for (const line of page.split('\n')) {
      if (line.startsWith('# HELP ')) {
        family = families.get(line) ?? new Map();
        families.set(line, family);
        continue;
      }
      // The value follows the last space; a type line has no number there.
      const end = line.lastIndexOf(' ');
      const value = line.startsWith('#') ? Number.NaN : Number(line.slice(end + 1));
      const name = Number.isNaN(value) ? line : line.slice(0, end);
      family.set(name, (family.get(name) ?? 0) + value);
    }
  }
  return [...families]
    .flatMap(([help, family]) => [
      help,
      ...[...family].map(([name, value]) => (Number.isNaN(value) ? name : `${name} ${String(value)}`)),
    ])
    .join('\n');
};

/** A page without gauges, which are true only at their moment. */
export const withoutGauges = (page: string): string =>
  page.replaceAll(/^# HELP \S+ .*\n# TYPE \S+ gauge\n(?!#).*\n?/gm, '');
