import type { Quiet } from '../quiet.ts';
import { startTollgateSubject, type Ports, type Subject } from '../subjects/subject.ts';

export interface Plan {
  readonly ports: Ports;
  readonly rounds: number;
  readonly seconds: number;
  readonly profileTo?: string;
  readonly quiet: Quiet;
  /** The Go floor's program, if available. */
  readonly floor: string | undefined;
}

/** Starts what is measured, for one round. */
export type Start = (plan: Plan) => Promise<Subject>;

export const tollgate: Start = (plan) =>
  startTollgateSubject(plan.ports, plan.profileTo === undefined ? {} : { profileTo: plan.profileTo });

/** Takes turns within a round, so that other load on the machine affects all of them alike. */
export const interleaved = async <Figure>(
  plan: Plan,
  starts: Readonly<Record<string, Start>>,
  measure: (subject: Subject, name: string) => Promise<Figure>,
): Promise<(name: string) => Figure[]> => {
  const figures = new Map<string, Figure[]>();
  for (let round = 0; round < plan.rounds; round++) {
    for (const [name, start] of Object.entries(starts)) {
      const subject = await start(plan);
      try {
        const figure = await plan.quiet.measure(() => measure(subject, name));
        figures.set(name, [...(figures.get(name) ?? []), figure]);
      } finally {
        await subject.stop();
      }
    }
  }
  return (name) => figures.get(name) ?? [];
};

/** Starts Tollgate for one measurement and stops it again. */
export const withTollgate = async <Figure>(
  plan: Plan,
  measure: (subject: Subject) => Promise<Figure>,
): Promise<Figure> => {
  const subject = await tollgate(plan);
  try {
    return await measure(subject);
  } finally {
    await subject.stop();
  }
};

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
