/**
 * Asks a model, runs the tools that return data, and asks once more with their results. A reply has
 * at most one such round, so it costs two requests at most.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { AnswerTask } from '../../../providers/model/builtin/knowledge.ts'
import { isReadingTool } from '../../../providers/model/tools.ts'
import { payForRequest } from '../costs/spend.ts'
import type { ReportedUsage, RequestSize } from '../costs/tokens.ts'
import type { ToolRunner } from '../tools/run-tools.ts'
import {
  askModel,
  BrokenStream,
  listTools,
  type AskOptions,
  type GeneratedAnswer,
  type ModelRequest,
  type ToolResult,
  type ToolUse,
} from './generate.ts'

const READS_MAX = 3
const ACTS_MAX = 5

export interface ToolOptions extends AskOptions {
  runner: ToolRunner
}

/**
 * Returns the answer with at most one tool that has an effect, if it is permitted. Throws like
 * `askModel`.
 */
export async function askWithTools(
  runtime: Runtime,
  ask: ModelRequest<AnswerTask>,
  { runner, ...options }: ToolOptions,
): Promise<GeneratedAnswer> {
  const { is_chat = false } = options
  const first = await askModel(runtime, ask, options)
  const offered = listTools(ask, is_chat)
  const wanted = first.tools.filter(({ name }) => isReadingTool(name) && isOffered(offered, name))
  const acts = await firstPermitted(runner, { tools: first.tools, offered })
  if (wanted.length === 0 || acts.length > 0) return { ...first, tools: acts }
  const { results, found } = await readAll(runner, wanted.slice(0, READS_MAX))
  const again = { ...ask, results, task: { ...ask.task, found } }
  const second = await askModel(runtime, again, options).catch((error: unknown) => {
    throw withSize(error, first.size)
  })
  const allowed = await firstPermitted(runner, {
    tools: second.tools,
    offered: listTools(again, is_chat),
  })
  return {
    text: second.text,
    tools: allowed,
    reported: addUsage(first.reported, second.reported),
    size: addSizes(first.size, second.size),
  }
}

/** `askWithTools` for a call: also charges the requests, unless `ask.spender` is null. */
export async function generateAnswer(
  runtime: Runtime,
  ask: ModelRequest<AnswerTask>,
  runner: ToolRunner,
): Promise<GeneratedAnswer> {
  const run = () => askWithTools(runtime, ask, { runner })
  if (ask.spender === null) return run()
  const spender = { ...ask.spender, model: ask.model }
  const measure = ({ reported, size }: GeneratedAnswer) => ({ reported, size })
  return payForRequest(runtime, { spender, run, measure })
}

interface Wanted {
  tools: readonly ToolUse[]
  offered: ReturnType<typeof listTools>
}

function isOffered(offered: Wanted['offered'], name: string): boolean {
  return offered.some((one) => one === name)
}

/** At most one tool with an effect is used in a reply. */
async function firstPermitted(runner: ToolRunner, { tools, offered }: Wanted): Promise<ToolUse[]> {
  const acts = tools.filter(({ name }) => !isReadingTool(name) || !isOffered(offered, name))
  for (const use of acts.slice(0, ACTS_MAX)) {
    if (await runner.permits(use, offered)) return [use]
  }
  return []
}

async function readAll(runner: ToolRunner, uses: readonly ToolUse[]) {
  const results: ToolResult[] = []
  const found: NonNullable<AnswerTask['found']> = []
  for (const use of uses) {
    const read = await runner.read(use)
    results.push({ name: use.name, input: Object(use.input), output: read.output })
    if (read.found) found.push(read.found)
  }
  return { results, found }
}

/**
 * Adds the size of the first request to the error, so that it is charged even if the second one
 * fails.
 */
function withSize(error: unknown, size: RequestSize): BrokenStream {
  const more = error instanceof BrokenStream ? error.size : null
  return new BrokenStream(error, more ? addSizes(size, more) : size)
}

function addSizes(a: RequestSize, b: RequestSize): RequestSize {
  return {
    input_characters: a.input_characters + b.input_characters,
    output_characters: a.output_characters + b.output_characters,
  }
}

/** Null, so that the tokens are estimated, if one of the counts is missing. */
function addUsage(a: ReportedUsage | null, b: ReportedUsage | null): ReportedUsage | null {
  if (a === null || b === null) return null
  const sum = (x: number | undefined, y: number | undefined) =>
    x === undefined || y === undefined ? undefined : x + y
  const cached = sum(a.inputTokenDetails?.cacheReadTokens, b.inputTokenDetails?.cacheReadTokens)
  return {
    inputTokens: sum(a.inputTokens, b.inputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    ...(cached !== undefined && { inputTokenDetails: { cacheReadTokens: cached } }),
  }
}
