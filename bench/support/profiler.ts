/**
 * CPU profiles of a server in its normal configuration: a signal opens Node's inspector, which then
 * reports the time by function. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/
 */
import type { ChildProcess } from 'node:child_process'

const SAMPLE_US = 200
const repository = new URL('../..', import.meta.url).href

/** Environment of the server; port 0 avoids conflicts between servers. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

/** The self time of a function as a share of the busy time. */
export interface ProfiledFunction {
  name: string
  /** Its file and line, or its package. */
  where: string
  kind: CodeOrigin
  share: number
}

export const kinds = ['Homeport', 'libraries', 'Node', 'garbage collection'] as const
export type CodeOrigin = (typeof kinds)[number]

interface Frame {
  functionName: string
  url: string
  lineNumber: number
}

interface Profile {
  nodes: readonly { id: number; callFrame: Frame }[]
  samples: readonly number[]
  timeDeltas: readonly number[]
}

export interface Profiler {
  /** Profiles while `work` runs; the largest share first. */
  profile(work: () => Promise<unknown>): Promise<ProfiledFunction[]>
  close(): void
}

export async function openProfiler(child: ChildProcess): Promise<Profiler> {
  const socket = new WebSocket(await inspectorOf(child))
  await new Promise((open, fail) => {
    socket.addEventListener('open', open, { once: true })
    socket.addEventListener('error', fail, { once: true })
  })
  const waiting = new Map<number, (result: any) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let asked = 0
  const ask = (method: string, params = {}) =>
    new Promise<any>((answer) => {
      asked += 1
      waiting.set(asked, answer)
      socket.send(JSON.stringify({ id: asked, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: SAMPLE_US })
  return {
    async profile(work) {
      await ask('Profiler.start')
      await work()
      const { profile } = await ask('Profiler.stop')
      return costsOf(profile)
    },
    close: () => socket.close(),
  }
}

/** Reads the inspector's URL from stderr, where Node prints it. */
function inspectorOf(child: ChildProcess): Promise<string> {
  return new Promise((found, fail) => {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const [, url] = /Debugger listening on (ws:\S+)/.exec(said) ?? []
      if (url) found(url)
    })
    child.once('exit', () => fail(new Error(`The server ended: ${said}`)))
    child.kill('SIGUSR1')
  })
}

function costsOf({ nodes, samples, timeDeltas }: Profile): ProfiledFunction[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const taken = new Map<string, ProfiledFunction & { us: number }>()
  let total_us = 0
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id)
    if (!frame || frame.functionName === '(idle)') continue
    const us = timeDeltas[at] ?? 0
    total_us += us
    const cost = nameOf(frame)
    const key = `${cost.name} ${cost.where}`
    const known = taken.get(key) ?? { ...cost, share: 0, us: 0 }
    known.us += us
    taken.set(key, known)
  }
  return [...taken.values()]
    .map(({ us, ...cost }) => ({ ...cost, share: us / total_us }))
    .toSorted((one, other) => other.share - one.share)
}

function nameOf({ functionName, url, lineNumber }: Frame): Omit<ProfiledFunction, 'share'> {
  const name = functionName || 'without a name'
  if (name === '(garbage collector)') return { name, where: 'V8', kind: 'garbage collection' }
  if (url === '') return { name, where: name === '(program)' ? 'the system' : 'C++', kind: 'Node' }
  if (url.startsWith('node:')) return { name, where: url, kind: 'Node' }
  const library = url.split('node_modules/').at(-1)
  if (library !== url) return { name, where: library ?? url, kind: 'libraries' }
  const is_ours = url.startsWith(repository)
  const where = is_ours
    ? `${url.slice(repository.length)}:${lineNumber + 1}`
    : 'compiled validators'
  return { name, where, kind: is_ours ? 'Homeport' : 'libraries' }
}
