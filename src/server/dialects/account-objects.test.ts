import { describe, expect, test } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import { accountObjectIn } from './account-objects.ts';
import type { NamedContainer } from './containers.ts';
import { accountObjectSaid } from './openai-realtime/caller-input.ts';
import { chatFields } from './testing/request-fields/chat-fields.ts';
import { geminiFields } from './testing/request-fields/gemini-fields.ts';
import { messagesFields } from './testing/request-fields/messages-fields.ts';
import { responsesFields } from './testing/request-fields/responses-fields.ts';

/** Callers share the account of a channel: what another put there is not named by them. */

const user = (...content: Fields[]): Fields => ({ messages: [{ role: 'user', content }] });
const item = (...content: Fields[]): Fields => ({ input: [{ role: 'user', content }] });
const part = (fileUri: string): Fields => ({
  contents: [{ role: 'user', parts: [{ fileData: { mimeType: 'application/pdf', fileUri } }] }],
});
const tool = (given: Fields): Fields => ({ tools: [given] });
const schema = { type: 'object', properties: { file_id: { type: 'string' } }, required: ['file_id'] };

describe('what is in the account of an upstream', () => {
  test.each<[string, Fields]>([
    // Chat
    ['messages.0.content.0.file.file_id', user({ type: 'file', file: { file_id: 'file-1' } })],
    ['messages.0.content.0.file.File_ID', user({ type: 'file', file: { File_ID: 'file-1' } })],
    [
      'messages.0.content.0.image_url.url',
      user({ type: 'image_url', image_url: { url: 'gs://b/secret.png' } }),
    ],
    ['messages.0.content.0.image_url', user({ type: 'image_url', image_url: ' GS://b/secret.png' })],
    [
      'messages.0.content',
      { messages: [{ role: 'system', content: 'fileid://file-fe-1,fileid://file-fe-2' }] },
    ],
    ['audio.voice.id', { audio: { voice: { id: 'voice_1' }, format: 'wav' } }],
    ['extra_body.google.cached_content', { extra_body: { google: { cached_content: 'cachedContents/a' } } }],
    ['data_sources', { data_sources: [{ type: 'azure_search', parameters: { endpoint: 'https://a' } }] }],
    ['tools.0.retrieval.knowledge_id', tool({ type: 'retrieval', retrieval: { knowledge_id: '1' } })],
    // Responses
    ['input.0.content.0.file_id', item({ type: 'input_file', file_id: 'file-1' })],
    ['input.0.content.0.file_id', item({ type: 'input_image', file_id: 'file-1' })],
    ['input.0.output.0.file_id', { input: [{ type: 'function_call_output', output: [{ file_id: 'f' }] }] }],
    ['input.0.output.file_id', { input: [{ type: 'computer_call_output', output: { file_id: 'f' } }] }],
    ['prompt.id', { prompt: { id: 'pmpt_1', variables: {} } }],
    ['tools.0.vector_store_ids', tool({ type: 'file_search', vector_store_ids: ['vs_1'] })],
    [
      'tools.0.container.file_ids',
      tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }),
    ],
    [
      'tools.0.environment.skills.0.skill_id',
      tool({ type: 'shell', environment: { skills: [{ skill_id: 'skill_1' }] } }),
    ],
    [
      'tools.0.input_image_mask.file_id',
      tool({ type: 'image_generation', input_image_mask: { file_id: 'f' } }),
    ],
    ['tools.0.tunnel_id', tool({ type: 'mcp', tunnel_id: 'tunnel_1' })],
    // A type that would have it passed over belongs to blocks, not to the request or to messages.
    ['input.0.content.0.file_id', { type: 'server_tool_use', ...item({ file_id: 'file-1' }) }],
    [
      'messages.0.content.0.file.file_id',
      { messages: [{ role: 'user', type: 'a_tool_result', content: [{ file: { file_id: 'f' } }] }] },
    ],
    // Messages
    [
      'messages.0.content.0.source.file_id',
      user({ type: 'document', source: { type: 'file', file_id: 'file_1' } }),
    ],
    ['messages.0.content.0.file_id', user({ type: 'container_upload', file_id: 'file_1' })],
    [
      'messages.0.content.0.content.0.source.file_id',
      user({ type: 'tool_result', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }),
    ],
    ['billing_policy.bill_to', { billing_policy: { type: 'billing_policy', bill_to: 'user_profile' } }],
    ['user_profile_id', { user_profile_id: 'uprof_1' }],
    ['workspace_id', { workspace_id: 'wrkspc_1' }],
    ['container.skills.0.skill_id', { container: { skills: [{ type: 'custom', skill_id: 'skill_01' }] } }],
    // Gemini
    ['cachedContent', { cachedContent: 'cachedContents/another-users' }],
    ['cached_content', { cached_content: 'projects/p/locations/l/cachedContents/1' }],
    ['continuationToken', { continuationToken: 't' }],
    [
      'generationConfig.generationOutputConfig',
      { generationConfig: { generationOutputConfig: { gcsUri: 'gs://a' } } },
    ],
    ['modelArmorConfig', { modelArmorConfig: { promptTemplateName: 'projects/p/templates/t' } }],
    ['contents.0.parts.0.fileData.fileUri', part('gs://bucket/a.pdf')],
    ['contents.0.parts.0.fileData.fileUri', part('files/abc')],
    [
      'contents.0.parts.0.fileData.fileUri',
      part('https://generativelanguage.googleapis.com/v1beta/files/abc'),
    ],
    [
      'contents.0.parts.0.fileData.fileUri',
      part('HTTPS://a:b@GenerativeLanguage.googleapis.com:443/v1/x/%66iles/abc'),
    ],
    [
      'tools.0.fileSearch.fileSearchStoreNames',
      tool({ fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'] } }),
    ],
    [
      'tools.0.file_search.file_search_store_names',
      tool({ file_search: { file_search_store_names: ['a'] } }),
    ],
    [
      'tools.0.retrieval.vertexAiSearch',
      tool({ retrieval: { vertexAiSearch: { datastore: 'projects/p' } } }),
    ],
    ['tools.0.retrieval.vertexRagStore', tool({ retrieval: { vertexRagStore: { ragCorpora: ['c'] } } })],
    // Pictures, speech
    ['images.0.file_id', { images: [{ file_id: 'f' }] }],
    ['voice.id', { voice: { id: 'voice_1' } }],
  ])('%s is found', (path, body) => {
    expect(accountObjectIn(body)).toBe(path);
  });

  test.each<[string, Fields]>([
    ['texts about such things', user({ type: 'text', text: 'file_id gs://a cachedContents/b files/c' })],
    ['a question that begins like a file', { messages: [{ role: 'user', content: 'fileid:// is what?' }] }],
    [
      'open addresses',
      user({ type: 'image_url', image_url: { url: 'https://example.com/files/gs://a.png' } }),
    ],
    [
      'bytes',
      user({ type: 'image_url', image_url: { url: `data:image/png;base64,${'files/'.repeat(9000)}` } }),
    ],
    ['the account itself as the one that pays', { billing_policy: { bill_to: 'organization' } }],
    ['a film', part('https://www.youtube.com/watch?v=1')],
    ['a function that takes a file', tool({ type: 'function', function: { name: 'f', parameters: schema } })],
    [
      'a tool that takes a file',
      tool({ name: 'f', input_schema: schema, input_examples: [{ file_id: 'a' }] }),
    ],
    ['a declaration', tool({ functionDeclarations: [{ name: 'f', parameters: schema, response: schema }] })],
    ['a call with a file', user({ type: 'tool_use', id: 'a', name: 'f', input: { file_id: 'mine' } })],
    ['arguments', { contents: [{ parts: [{ functionCall: { name: 'f', args: { file_id: 'mine' } } }] }] }],
    [
      'what a function gave',
      { contents: [{ parts: [{ functionResponse: { response: { fileId: 'mine' } } }] }] },
    ],
    [
      'what an upstream ran',
      user({ type: 'bash_code_execution_tool_result', content: { content: [{ file_id: 'f' }] } }),
    ],
    [
      'citations of an earlier answer',
      {
        input: [
          {
            type: 'message',
            role: 'assistant',
            content: [
              { type: 'output_text', text: 'a', annotations: [{ type: 'file_citation', file_id: 'f' }] },
            ],
          },
        ],
      },
    ],
    ['a schema of the answer', { response_format: { type: 'json_schema', json_schema: { schema } } }],
    ['labels of the caller', { metadata: { file_id: 'mine' } }],
    ['skills that are everybody’s', { container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }],
    ['a container that an answer named', { container: 'container_011CPR5CNjB747bTd36fQLFk' }],
    [
      'connectors with the caller’s own rights',
      tool({ type: 'mcp', connector_id: 'connector_gmail', authorization: 't' }),
    ],
    ['a voice by its name', { voice: 'alloy', audio: { voice: 'alloy' } }],
    ['a thread that goes on', { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ['a thread that begins', { thread: { type: 'create' }, diagnostics: { previous_message_id: 'm' } }],
    ['a prompt that is a text', { prompt: 'a cat' }],
    ['nothing where something could be', { cachedContent: '', previous_response_id: null, file_ids: [] }],
  ])('%s do not count as such', (_, body) => {
    expect(accountObjectIn(body)).toBeUndefined();
  });

  test('every field of the makers’ libraries is looked at, and those that name such things are these', () => {
    const named = [chatFields, responsesFields, messagesFields, geminiFields].flatMap((fields) =>
      Object.entries(fields).flatMap(([path, { value }]: [string, { value: unknown }]) => {
        const body = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
        return accountObjectIn(body as Fields) === undefined ? [] : [path];
      }),
    );
    expect(named.toSorted()).toEqual([
      'billing_policy',
      'cachedContent',
      'contents.0.parts.2',
      'continuationToken',
      'generationConfig.generationOutputConfig',
      'messages.0.content.2',
      'modelArmorConfig',
      'prompt',
    ]);
  });

  test.each([
    [{ type: 'session.update', session: { prompt: { id: 'pmpt_1' } } }, 'session.prompt.id'],
    [
      { type: 'session.update', session: { audio: { output: { voice: { id: 'v' } } } } },
      'session.audio.output.voice.id',
    ],
    [{ type: 'response.create', response: { prompt: { id: 'pmpt_1' } } }, 'response.prompt.id'],
    [
      { type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'file_id' }] } },
      undefined,
    ],
  ])('a realtime conversation says %j', (message, path) => {
    expect(accountObjectSaid(Buffer.from(JSON.stringify(message)))).toBe(path);
  });

  test('is found after callers have made up more names than are remembered', () => {
    const madeUp = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`name_${at}`, 'a']));
    expect(accountObjectIn(madeUp)).toBeUndefined();
    expect(accountObjectIn({ ...madeUp, file_id: 'f' })).toBe('file_id');
  });

  test('is found in a message that is repeated with every call', () => {
    const deep = { a: { b: [{ file_id: 'f' }] } };
    expect([accountObjectIn(deep), accountObjectIn(deep)]).toEqual(['a.b.0.file_id', 'a.b.0.file_id']);
  });

  test.each<[string, Fields, readonly object[]]>([
    ['Messages', { container: 'container_1' }, [{ id: 'container_1', param: 'container', isSaid: false }]],
    [
      'Messages, with skills',
      { container: { id: 'container_1', skills: [] } },
      [{ id: 'container_1', param: 'container.id', isSaid: false }],
    ],
    [
      'Responses, twice',
      { tools: [{ container: { type: 'auto' } }, { container: 'cntr_1' }, { container: 'cntr_1' }] },
      [{ id: 'cntr_1', param: 'tools.1.container', isSaid: false }],
    ],
    [
      'what ran earlier',
      {
        input: [{ type: 'shell_call', environment: { type: 'container_reference', container_id: 'cntr_1' } }],
      },
      [{ id: 'cntr_1', param: 'input.0.environment.container_id', isSaid: true }],
    ],
    ['a kind of file', { output_format: { container: 'mp3' } }, []],
    ['a tool of the caller', tool({ parameters: { container: 'cntr_1' }, input: 'container_id' }), []],
  ])('a container is named in %s', (_, body, named) => {
    const containers: NamedContainer[] = [];
    expect(accountObjectIn(body, containers)).toBeUndefined();
    expect(containers).toEqual(named);
  });
});
