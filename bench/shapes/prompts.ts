import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentPrompt } from '../load/agent-prompt.ts';
import { measureWhole, SHORT_BODY, WARM_UP_SECONDS } from '../load/measure.ts';
import { outputOf } from '../subjects/pinned.ts';
import type { Section } from '../report.ts';
import { interleaved, type Plan, type Start, tollgate } from './plan.ts';
import { shown, spread } from '../spread.ts';
import { startTollgateSubject } from '../subjects/subject.ts';

const PARSE_BODY = `${import.meta.dirname}/../load/parse-body.ts`;
const CALLERS = 8;
/** For the code that only bodies of one size use. */
const SIZE_WARM_UP_SECONDS = 4;
const KILOBYTES = [11, 100, 400] as const;

interface PromptsFigure {
  readonly shortMicros: number;
  /** For each size: the cost of a call, and of `JSON.parse` of its body alone. */
  readonly calls: readonly number[];
  readonly parses: readonly number[];
}

/** Prompts as coding agents send them: instructions, tools and all files read so far, with every call. */
export const runPrompts = async (plan: Plan): Promise<Section> => {
  const bodies = KILOBYTES.map((kilobytes) => agentPrompt('bench-whole', kilobytes * 1000));
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-prompts-'));
  const files = await Promise.all(
    bodies.map(async (halves, index) => {
      const file = join(folder, `${KILOBYTES[index]}.json`);
      await writeFile(file, halves.join('1'));
      return file;
    }),
  );
  const starts: Record<string, Start> = {
    'the default list': tollgate,
    '10,000 sensitive words': ({ ports }) => startTollgateSubject(ports, { listedWords: 10_000 }),
  };
  const of = await interleaved(plan, starts, async (subject): Promise<PromptsFigure> => {
    await measureWhole(subject, WARM_UP_SECONDS);
    const cpu = async (body: readonly [string, string]): Promise<number> => {
      await measureWhole(subject, SIZE_WARM_UP_SECONDS, { callers: CALLERS, body });
      return (await measureWhole(subject, plan.seconds, { callers: CALLERS, body })).cpuMicrosPerCall;
    };
    const shortMicros = await cpu(SHORT_BODY);
    const calls: number[] = [];
    const parses: number[] = [];
    for (const [index, body] of bodies.entries()) {
      calls.push(await cpu(body));
      parses.push(Number(await outputOf(0, 'node', [PARSE_BODY, files[index] ?? ''])));
    }
    return { shortMicros, calls, parses };
  });
  const at = (name: string, index: number) => {
    const rounds = of(name);
    return {
      call: spread(rounds.map(({ calls }) => calls[index] ?? NaN)),
      parse: spread(rounds.map(({ parses }) => parses[index] ?? NaN)),
      // In one round, so that a disturbance affects all three alike.
      parsesAdded: spread(
        rounds.map(
          ({ shortMicros, calls, parses }) => ((calls[index] ?? NaN) - shortMicros) / (parses[index] ?? NaN),
        ),
      ),
    };
  };
  const rows = Object.keys(starts).flatMap((name) =>
    KILOBYTES.map((kilobytes, index) => ({ name, kilobytes, ...at(name, index) })),
  );
  return {
    title: 'Prompts of coding agents',
    text: [
      `${CALLERS} callers; each call sends the whole history with another last message. Added is what such a call takes more`,
      'than one of 1 KB, in times `JSON.parse` of its body.',
      '',
      '| | Prompt, KB | CPU per call, µs | `JSON.parse`, µs | Added, × `JSON.parse` |',
      '| --- | ---: | ---: | ---: | ---: |',
      ...rows.map(
        ({ name, kilobytes, call, parse, parsesAdded }) =>
          `| ${name} | ${kilobytes} | ${shown(call, 0)} | ${shown(parse, 0)} | ${shown(parsesAdded, 2)} |`,
      ),
    ].join('\n'),
    goals: rows
      .filter(({ kilobytes }) => kilobytes >= 100)
      .map(({ name, kilobytes, parsesAdded }) => ({
        what: `prompt of ${kilobytes} KB, ${name}: CPU added, × \`JSON.parse\``,
        goal: '≤ 2',
        figure: parsesAdded.median.toFixed(2),
        met: parsesAdded.median <= 2,
      })),
  };
};
