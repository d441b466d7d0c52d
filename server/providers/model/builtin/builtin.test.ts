/** Tests of the built-in model through the AI SDK. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { builtinModel } from './builtin.ts'
import type { AnswerTask } from './knowledge.ts'

const task: AnswerTask = {
  task: 'answer',
  language: 'en',
  languages: ['en'],
  assistant_name: 'Jansen',
  opening: '',
  transfer_targets: [{ id: 'a', label: '', when: null }],
  hours: null,
  passages: [
    { source: 'fact', title: 'Parking?', body: 'Behind the shop.', language: 'en', score: 0.9 },
  ],
}
const empty = {
  description: 'x',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
}
const ask = (prompt: string, knowledge: object = task) => ({
  model: builtinModel,
  prompt,
  providerOptions: { builtin: JSON.parse(JSON.stringify(knowledge)) },
})

test('the built-in model answers through generateText at no cost', async () => {
  const { text, usage, finishReason } = await generateText(ask('Is there parking?'))
  assert.equal(text, 'Behind the shop.')
  assert.equal(usage.totalTokens, 0)
  assert.equal(finishReason, 'stop')
})

test('the built-in model answers the same through streamText', async () => {
  const { textStream } = streamText(ask('Is there parking?'))
  assert.equal((await Array.fromAsync(textStream)).join(''), 'Behind the shop.')
})

test('the built-in model calls the given tools, with both functions', async () => {
  const ended = await generateText({
    ...ask('Goodbye!'),
    tools: { end_call: tool(empty), transfer_call: tool(empty) },
  })
  assert.deepEqual(
    ended.toolCalls.map(({ toolName }) => toolName),
    ['end_call'],
  )
  assert.equal(ended.finishReason, 'tool-calls')
  const streamed = streamText({
    ...ask('I want to speak to a person, can I talk to someone?'),
    tools: { end_call: tool(empty), transfer_call: tool(empty) },
  })
  const [call] = await streamed.toolCalls
  assert.deepEqual([call?.toolName, call?.input], ['transfer_call', { target_id: 'a' }])
})

test('the built-in model transfers no caller without the tool', async () => {
  const { text, toolCalls } = await generateText(ask('Can I talk to someone?'))
  assert.match(text, /cannot put you through/)
  assert.deepEqual(toolCalls, [])
})

test('the built-in model says that it does not know, without knowledge or with unreadable knowledge', async () => {
  for (const knowledge of [{}, { task: 'answer' }, { task: 'poem' }, { ...task, language: 'xx' }]) {
    const { text } = await generateText(ask('Is there parking?', knowledge))
    assert.equal(text, 'I am sorry, I do not know that.')
  }
  const { text } = await generateText({ model: builtinModel, prompt: 'Is there parking?' })
  assert.equal(text, 'I am sorry, I do not know that.')
})

test('the built-in model reads earlier turns from the conversation', async () => {
  const { prompt: _, ...rest } = ask('')
  const { text } = await generateText({
    ...rest,
    messages: [
      { role: 'user', content: 'Parking lots?' },
      { role: 'assistant', content: 'Do you perhaps mean: “Parking?”?' },
      { role: 'user', content: 'Yes please' },
    ],
  })
  assert.equal(text, 'Behind the shop.')
})

test('the built-in model returns summaries as JSON', async () => {
  const summary = {
    task: 'summary',
    language: 'en',
    turns: [
      { role: 'caller', text: 'Is there parking?' },
      { role: 'assistant', text: 'Behind the shop.' },
    ],
  }
  const { text } = await generateText(ask('Sum up.', summary))
  assert.deepEqual(JSON.parse(text).topics, ['parking'])
})
