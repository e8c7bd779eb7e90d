import { REQUEST_ID_HEADER, SEALS_PATH } from '#contract/limits.ts';
import type { Handler } from '../door/front-door-deps.ts';
import { publishedSeals } from './published-seals.ts';
import { createProbes, type ProbeDeps } from './probes.ts';

export interface SiteDeps extends ProbeDeps {
  /** `/api/*` */
  readonly api: Handler;
  /** A page of the published seals, as JSON. */
  readonly published: (page: number) => Promise<string>;
  /** All other paths: the console's files. */
  readonly console: Handler;
}

/** Every path that is not the relay's. */
export const siteRoutes =
  (deps: SiteDeps) =>
  (isStopping: () => boolean): Handler => {
    const probes = createProbes(deps, isStopping);
    const seals = publishedSeals(deps.published);
    return (request, response, arrival) => {
      const [path = '/'] = (request.url ?? '/').split('?', 1);
      response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
      if (path === SEALS_PATH) return seals(request, response, arrival);
      const isApi = path === '/api' || path.startsWith('/api/');
      const answer = probes.get(path) ?? (isApi ? deps.api : deps.console);
      return answer(request, response, arrival);
    };
  };
