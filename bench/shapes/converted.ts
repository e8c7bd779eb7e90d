import type { StreamsFigure } from '../load/measure.ts';
import type { Section } from '../report.ts';
import { measureWarmStreams, PACED } from './streams.ts';
import { interleaved, type Plan, type Start, sum, tollgate } from './plan.ts';
import { shown, spread } from '../spread.ts';
import { messagesModel, startNginxSubject } from '../subjects/subject.ts';

/** Streams whose caller and upstream speak different formats: every chunk is parsed and rewritten. */
export const runConverted = async (plan: Plan): Promise<Section> => {
  const names = {
    nginx: 'nginx, bytes repeated',
    fromMessages: 'OpenAI caller, Anthropic upstream',
    toMessages: 'Anthropic caller, OpenAI upstream',
  };
  const starts: Record<string, Start> = {
    [names.nginx]: ({ ports }) => startNginxSubject(ports, 'stream'),
    [names.fromMessages]: tollgate,
    [names.toMessages]: async (given) => {
      const subject = await tollgate(given);
      return { ...subject, url: subject.url.replace('/chat/completions', '/messages') };
    },
  };
  const of = await interleaved(plan, starts, (subject) => {
    const isFromMessages = subject.name === 'tollgate' && !subject.url.endsWith('/messages');
    const asked = isFromMessages ? { ...PACED, model: messagesModel } : PACED;
    return measureWarmStreams(subject, asked);
  });
  const cpu = (name: string) => spread(of(name).map((figure: StreamsFigure) => figure.cpuMicrosPerChunk));
  const goal = (name: string) => {
    const ratio = cpu(name).median / cpu(names.nginx).median;
    return {
      what: `CPU per chunk, ${name}, of nginx`,
      goal: '≤ 2.2',
      figure: ratio.toFixed(2),
      met: ratio <= 2.2,
    };
  };
  return {
    title: 'Converted streams: 200 at once, 100 chunks each, 20 ms apart',
    text: [
      'Bytes become events and events the bytes of the other format; nginx repeats them.',
      '',
      '| | CPU per chunk, µs | Broken streams |',
      '| --- | ---: | ---: |',
      ...Object.keys(starts).map(
        (name) => `| ${name} | ${shown(cpu(name))} | ${sum(of(name).map((figure) => figure.dropped))} |`,
      ),
    ].join('\n'),
    goals: [goal(names.fromMessages), goal(names.toMessages)],
  };
};
