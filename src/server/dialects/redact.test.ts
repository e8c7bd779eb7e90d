import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test.each([
  'Could not fetch https://pictures.example.com/cat.png?w=20.',
  'You can find your key at https://platform.openai.com/account/api-keys.',
  'See https://ai.google.dev/gemini-api/docs/rate-limits#tier for more.',
])('a public address stays: %s', (said) => {
  expect(redact(said)).toBe(said);
});

test.each([
  ['connect to http://localhost:8080/v1 failed', 'connect to [address] failed'],
  ['at http://inference-7:9000/generate', 'at [address]'],
  ['at http://model.default.svc.cluster.local/v1', 'at [address]'],
  ['at https://gpu.corp.internal/v1', 'at [address]'],
  ['at http://10.1.2.3:80/x', 'at [address]'],
  ['at http://[fd00::1]/x', 'at [address]'],
  ['at grpc://backend:50051', 'at [address]'],
  ['from=http%3A%2F%2Finference-7%3A9000%2Fx is unknown', 'from=[address] is unknown'],
  ['at https://me:word@api.example.com/v1', 'at [address]'],
  ['your address 203.0.113.9 is not allowed', 'your address [address] is not allowed'],
])('an internal address is masked: %s', (said, shown) => {
  expect(redact(said)).toBe(shown);
});
