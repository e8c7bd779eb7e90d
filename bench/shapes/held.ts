import { measureStreams } from '../load/measure.ts';
import type { Section } from '../report.ts';
import { type Plan, withTollgate } from './plan.ts';

const HELD = { model: 'paced-30-1000', streams: 5000, rampMs: 15_000, readBytesPerSecond: 0 };

export const runHeld = async (plan: Plan): Promise<Section> => {
  const figure = await withTollgate(plan, (subject) => measureStreams(subject, HELD));
  const highest = figure.residentMegabytesHighest;
  return {
    title: '5,000 streams held open, one chunk a second each',
    text:
      `Broken: ${figure.dropped}. Resident memory: ${highest.toFixed(0)} MB at its highest, ` +
      `${figure.residentMegabytesBefore.toFixed(0)} MB before.`,
    goals: [
      {
        what: '5,000 streams held, broken',
        goal: '0',
        figure: String(figure.dropped),
        met: figure.dropped === 0,
      },
      {
        what: '5,000 streams held, resident memory',
        goal: '≤ 300 MB',
        figure: `${highest.toFixed(0)} MB`,
        met: highest <= 300,
      },
    ],
  };
};

/** 20 × 2.5 MB a second: 50 MB each take about 20 seconds. */
const SLOW = { model: 'bulk-50', streams: 20, rampMs: 0, readBytesPerSecond: 2_500_000 };
const FLAT_MEGABYTES = 100;

export const runSlowReaders = async (plan: Plan): Promise<Section> => {
  const figure = await withTollgate(plan, (subject) => measureStreams(subject, SLOW));
  const grown = figure.residentMegabytesHighest - figure.residentMegabytesBefore;
  return {
    title: '20 slow readers of 50 MB streams',
    text:
      `${(figure.bytes / 1024 / 1024).toFixed(0)} MB went through; broken: ${figure.dropped}. ` +
      `Resident memory grew by ${grown.toFixed(0)} MB, to ${figure.residentMegabytesHighest.toFixed(0)} MB.`,
    goals: [
      {
        what: '20 slow readers of 50 MB, memory grown',
        goal: `flat (≤ ${FLAT_MEGABYTES} MB)`,
        figure: `${grown.toFixed(0)} MB`,
        met: grown <= FLAT_MEGABYTES && figure.dropped === 0,
      },
    ],
  };
};
