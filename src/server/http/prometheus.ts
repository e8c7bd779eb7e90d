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

/**
 * The last moment of the year 9999 in milliseconds, the latest that the console and other languages can show as a date.
 */
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

/**
 * Parses a time that an upstream reports for a task, as whole milliseconds; 0 if there is none or it is invalid.
 * Columns of times accept nothing else, and a row that cannot be written would leave its task open.
 * @param unitMs the upstream's unit in milliseconds: 1 or 1,000
 */
export const histogramText = (name: string, help: string, value: Histogram): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...histogramLines(name, '', value)].join('\n');

/** Parses an upstream's message about a task, without keys, even masked ones, and without internal addresses. */
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

/** Jina and similar upstreams count tokens in `usage`, SiliconCloud and Cohere in `meta`. All tokens count as input. */
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

/** CRC-8 with the polynomial x^8 + x^2 + x + 1. */
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
      // Parses the frame header at the beginning of these bytes; its own checksum must match (RFC 9639, 9.1).
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

/** The frame number is encoded like UTF-8. */
export const withoutGauges = (page: string): string =>
  page.replaceAll(/^# HELP \S+ .*\n# TYPE \S+ gauge\n(?!#).*\n?/gm, '');
