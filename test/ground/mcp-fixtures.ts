/**
 * The tools, resources and prompts that the official questions to a server of MCP are about, shown
 * by the same door as ours. They are for tests alone.
 */
import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/server'
import { restPhrasing } from '../../server/contract/next-steps.ts'
import type { Prompt, Surface, Tool } from '../../server/edges/mcp/surface.ts'
import { listing } from '../../server/edges/mcp/tool.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const

type Content = CallToolResult['content']

function fixture(name: string, content: () => Content, inputSchema: object = empty): Tool {
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  const words = { name, title: name, description: `Is asked for as ${name}.`, annotations }
  const { outputSchema: _, ...shown } = listing(words, { inputSchema, outputSchema: empty })
  return {
    listing: shown,
    operationFor: () => null,
    isShown: () => true,
    run: async () => ({ content: content() }),
  }
}

const empty = { type: 'object' }

/** One that is only listed here: mcp-extra.ts answers it, which a question makes sure of. */
function listed(name: string): Tool {
  return { ...fixture(name, () => []), run: async () => ({ message: name, state: '' }) }
}

function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } } as const
}

const shapeOf2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'address',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  allOf: [{ type: 'object' }],
  if: { required: ['address'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['name'] },
  else: {},
  additionalProperties: false,
}

const tools: readonly Tool[] = [
  fixture('test_simple_text', () => [
    { type: 'text', text: 'This is a simple text response for testing.' },
  ]),
  fixture('test_image_content', () => [image]),
  fixture('test_audio_content', () => [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }]),
  fixture('test_embedded_resource', () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  fixture('test_multiple_content_types', () => [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  fixture('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
  fixture('json_schema_2020_12_tool', () => [{ type: 'text', text: 'ok' }], shapeOf2020),
  ...[
    'test_missing_capability',
    'test_streaming_elicitation',
    'test_logging_tool',
    'test_tool_with_logging',
    'test_tool_with_progress',
  ].map(listed),
]

type Message = GetPromptResult['messages'][number]['content']

function prompt(
  name: string,
  asks: readonly string[],
  write: (given: Readonly<Record<string, string>>) => readonly Message[],
): Prompt {
  return {
    name,
    title: name,
    description: `Is asked for as ${name}.`,
    arguments: asks.map((name) => ({ name, description: name, required: true })),
    write: (given) => ({
      messages: write(given).map((content) => ({ role: 'user', content })),
    }),
  }
}

const prompts: readonly Prompt[] = [
  prompt('test_simple_prompt', [], () => [
    { type: 'text', text: 'This is a simple prompt for testing.' },
  ]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    { type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) => [
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    { type: 'text', text: 'Please process the embedded resource above.' },
  ]),
  prompt('test_prompt_with_image', [], () => [
    image,
    { type: 'text', text: 'Please analyze the image above.' },
  ]),
]

const about = { title: 'A test', description: 'Is asked for.', mimeType: 'text/plain' }

export const fixtureSurface: Surface = {
  instructions: 'For tests.',
  phrasing: restPhrasing,
  tools: new Map(tools.map((tool) => [tool.listing.name, tool])),
  prompts: new Map(prompts.map((one) => [one.name, one])),
  resources: {
    list: () => [{ uri: 'test://static-text', name: 'static-text', ...about }],
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', ...about }],
    read(uri) {
      if (uri === 'test://static-text') return 'This is the content of the static text resource.'
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
      return id === undefined
        ? null
        : JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    },
  },
}
