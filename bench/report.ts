import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly figure: string;
  /** Undefined if the figures of this run cannot show it. */
  readonly met: boolean | undefined;
}

const verdictOf = ({ met }: Goal): string => (met === undefined ? 'not shown' : met ? 'reached' : 'missed');

/** The results of one shape of load. */
export interface Section {
  readonly title: string;
  readonly text: string;
  readonly goals: readonly Goal[];
}

/** Findings from profiles, written by hand; printed after the figures. */
const whereTheTimeGoes = readFileSync(new URL('where-the-time-goes.md', import.meta.url), 'utf8');

/** `docs/performance.md`: goals first, then every shape. */
export const pageOf = (sections: readonly Section[], rounds: number, disturbances: string): string => {
  const goals = sections.flatMap((section) => section.goals);
  return `# Performance

Written by \`npm run bench\`. Tollgate runs with everything on (authentication, limits, a committed hold, settlement and a
log row for every call), alone on one core; the upstream and the load share the other. nginx is a bare proxy with kept
connections; Portkey is \`@portkey-ai/gateway\`. All get the same load from the same upstream in the same run, one after
the other in every round. A figure is the median of ${rounds} rounds, the least and the most in brackets.
${disturbances}

Machine: ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores. Node ${process.versions.node}. ${new Date().toISOString().slice(0, 10)}.

| Goal | Wanted | Measured | |
| --- | ---: | ---: | --- |
${goals
  .toSorted((one, other) => Number(one.met ?? false) - Number(other.met ?? false))
  .map((goal) => `| ${goal.what} | ${goal.goal} | ${goal.figure} | ${verdictOf(goal)} |`)
  .join('\n')}

${sections.map((section) => `## ${section.title}\n\n${section.text}`).join('\n\n')}

${whereTheTimeGoes}`;
};
