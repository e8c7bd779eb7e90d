/** Prints how many microseconds of processor time `JSON.parse` takes for a body: run as `parse-body.ts FILE`. */
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2] ?? '', 'utf8');
const MEASURED_MS = 1500;
const round = (lastMs: number): number => {
  let parsed = 0;
  const startMs = performance.now();
  const before = process.cpuUsage();
  while (performance.now() - startMs < lastMs) {
    JSON.parse(text);
    parsed += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / parsed;
};
round(MEASURED_MS / 3);
console.log(round(MEASURED_MS));
