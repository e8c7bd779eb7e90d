import { admins, type Case, everybody, get } from './matrix-case.ts';

/** Whoever may set prices, with a fresh proof of identity if required, which an admin's access token cannot give. */
const priceSetters: Case['answers'] = { ...admins, adminToken: 403 };

/** They are let in and then told that nothing waits for an approval. */
const approvers: Case['answers'] = { ...priceSetters, admin: 'no', root: 'no' };

/** A bill of one day. */
const BILL = 'day,cost\n2026-01-01,1\n';

/** The price book, and the bills of upstreams. */
export const priceCases: Readonly<Record<string, Case>> = {
  'POST /api/reconcile': {
    answers: admins,
    request: () => ({ path: '/api/reconcile?channels=1', body: BILL }),
  },
  'POST /api/reconcile/file': {
    answers: admins,
    request: () => ({ path: '/api/reconcile/file?channels=1', body: BILL }),
  },
  'POST /api/reconcile/columns': {
    answers: admins,
    request: () => ({ path: '/api/reconcile/columns', body: BILL }),
  },
  'GET /api/price_book': { answers: admins, request: get('/api/price_book?p=1&page_size=5') },
  'GET /api/price_book/version/:id': {
    answers: admins,
    request: async ({ stage, unique }) => {
      const { older } = await stage.prices(unique);
      return { path: `/api/price_book/version/${String(older)}` };
    },
  },
  'GET /api/price_book/draft': { answers: admins, request: get('/api/price_book/draft') },
  'GET /api/price_book/draft/:id': {
    answers: admins,
    request: async ({ stage, unique }) => {
      const { draft } = await stage.prices(unique);
      return { path: `/api/price_book/draft/${String(draft)}` };
    },
  },
  'POST /api/price_book/draft': {
    answers: admins,
    request: () => ({
      path: '/api/price_book/draft',
      body: { reason: 'dearer', entries: [{ option: 'ModelPrice', key: 'm', value: 1 }] },
    }),
  },
  'PUT /api/price_book/draft/:id': {
    answers: admins,
    request: async ({ stage, unique }) => {
      const { draft } = await stage.prices(unique);
      return { path: `/api/price_book/draft/${String(draft)}`, body: { reason: 'dearer still' } };
    },
  },
  'DELETE /api/price_book/draft/:id': {
    answers: admins,
    request: async ({ stage, unique }) => {
      const { draft } = await stage.prices(unique);
      return { path: `/api/price_book/draft/${String(draft)}` };
    },
  },
  'POST /api/price_book/draft/:id/publish': {
    answers: priceSetters,
    request: async ({ stage, unique }) => {
      const { draft, base } = await stage.prices(unique);
      return {
        path: `/api/price_book/draft/${String(draft)}/publish`,
        body: { base, reason: 'later', at: 4_000_000_000 },
      };
    },
  },
  'POST /api/price_book/draft/:id/approve': {
    answers: approvers,
    request: async ({ stage, unique }) => {
      const { draft, base } = await stage.prices(unique);
      return { path: `/api/price_book/draft/${String(draft)}/approve`, body: { base, revision: 0 } };
    },
  },
  'POST /api/price_book/draft/:id/reject': {
    answers: approvers,
    request: async ({ stage, unique }) => {
      const { draft } = await stage.prices(unique);
      return { path: `/api/price_book/draft/${String(draft)}/reject`, body: { revision: 0, words: 'no' } };
    },
  },
  'POST /api/price_book/draft/:id/unschedule': {
    answers: priceSetters,
    request: async ({ stage, unique }) => {
      const { draft } = await stage.prices(unique, 'scheduled');
      return { path: `/api/price_book/draft/${String(draft)}/unschedule` };
    },
  },
  'POST /api/price_book/version/:id/restore': {
    answers: priceSetters,
    request: async ({ stage, unique }) => {
      const { older, base } = await stage.prices(unique);
      return {
        path: `/api/price_book/version/${String(older)}/restore`,
        body: { base, reason: 'back', scheduled: 'cancel' },
      };
    },
  },
  'POST /api/price_book/preview': {
    answers: admins,
    request: () => ({ path: '/api/price_book/preview', body: { entries: [], days: 1 } }),
  },
  'GET /api/price_book/preview/:id': {
    answers: admins,
    request: async ({ stage }) => ({ path: `/api/price_book/preview/${String(await stage.preview())}` }),
  },
  'DELETE /api/price_book/preview/:id': {
    answers: admins,
    request: async ({ stage }) => ({ path: `/api/price_book/preview/${String(await stage.preview())}` }),
  },
  'POST /api/price_book/compare': {
    answers: admins,
    request: () => ({ path: '/api/price_book/compare', body: {} }),
  },
  'GET /api/pricing/history': {
    answers: everybody,
    request: async ({ stage, root, unique }) => {
      await stage.option(root, 'ModelPrice', JSON.stringify({ [unique]: 1 }));
      await stage.channel(root, { models: unique });
      return { path: `/api/pricing/history?model=${unique}` };
    },
  },
};
