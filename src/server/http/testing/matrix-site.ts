import { admins, type Case, everybody, get, nobody, signedIn } from './matrix-case.ts';
import { NO_PRICE } from './no-price.ts';

let ratio = 0;

/** The expected result for calls on the site, its prices and its figures. */
export const siteCases: Readonly<Record<string, Case>> = {
  'GET /api/availability': {
    // Not public until the operator enables it.
    answers: { ...nobody, otherSite: 'no' },
    request: get('/api/availability'),
  },
  'GET /api/panels': { answers: signedIn, request: get('/api/panels') },
  'GET /api/notice': { answers: everybody, request: get('/api/notice') },
  'GET /api/about': { answers: everybody, request: get('/api/about') },
  'GET /api/home_page_content': { answers: everybody, request: get('/api/home_page_content') },
  'GET /api/update': {
    answers: { ...admins, admin: 'no', root: 'no', adminToken: 'no' },
    request: get('/api/update'),
  },
  'GET /api/pricing': { answers: everybody, request: get('/api/pricing') },
  'GET /api/pricing/unset': { answers: admins, request: get('/api/pricing/unset') },
  'GET /api/pricing/models': { answers: admins, request: get('/api/pricing/models?sort=-input') },
  'PUT /api/pricing/models': {
    answers: { ...admins, adminToken: 403 },
    request: () => ({
      path: '/api/pricing/models',
      body: {
        models: [
          {
            ...NO_PRICE,
            model: 'gpt-4o-mini',
            // A new value each time, because a change without effect needs no proof of identity.
            ratio: ++ratio,
            completion_ratio: 4,
          },
        ],
      },
    }),
  },
  'POST /api/pricing/example': {
    answers: admins,
    request: () => ({
      path: '/api/pricing/example',
      body: { model: 'gpt-4o-mini', dimensions: {}, calls: [{ prompt: 1, completion: 1 }] },
    }),
  },
  'GET /api/ratio_config': { answers: { ...nobody, otherSite: 'no' }, request: get('/api/ratio_config') },
  'GET /api/data': { answers: admins, request: get('/api/data?start_timestamp=0&username=alice') },
  'GET /api/data/attention': { answers: admins, request: get('/api/data/attention') },
  'GET /api/data/by': { answers: admins, request: get('/api/data/by?by=user&username=alice') },
  'GET /api/data/key_sums': { answers: admins, request: get('/api/data/key_sums?username=alice') },
  'GET /api/data/self/by': {
    answers: signedIn,
    request: get('/api/data/self/by?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/self/key_sums': {
    answers: signedIn,
    request: get('/api/data/self/key_sums?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/channel': { answers: admins, request: get('/api/data/channel?ids=1,2') },
  'GET /api/data/margin': {
    answers: admins,
    request: get('/api/data/margin?by=token&username=alice&group=vip'),
  },
  'GET /api/data/cache': { answers: admins, request: get('/api/data/cache?by=model&username=alice') },
  'GET /api/data/sessions': {
    answers: admins,
    request: get('/api/data/sessions?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/house_costs': { answers: admins, request: get('/api/data/house_costs') },
  'GET /api/data/users': { answers: admins, request: get('/api/data/users') },
  'GET /api/data/self': {
    answers: signedIn,
    request: get('/api/data/self?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/self/cache': {
    answers: signedIn,
    request: get('/api/data/self/cache?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/self/sessions': {
    answers: signedIn,
    request: get('/api/data/self/sessions?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'GET /api/data/self/tokens': {
    answers: signedIn,
    request: get('/api/data/self/tokens?start_timestamp=4000000000&end_timestamp=4000000001'),
  },
  'PUT /api/option/batch': {
    answers: admins,
    request: () => ({ path: '/api/option/batch', body: { options: [{ key: 'RetryTimes', value: '1' }] } }),
  },
  'POST /api/group/rename': {
    // There is no such group.
    answers: { ...admins, admin: 'no', adminToken: 403, root: 'no' },
    request: () => ({ path: '/api/group/rename', body: { name: 'nobody', to: 'anybody' } }),
  },
  'POST /api/option/rest_model_ratio': {
    answers: { ...admins, adminToken: 403 },
    request: get('/api/option/rest_model_ratio'),
  },
};
