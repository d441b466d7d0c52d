/**
 * The content of the status page. It is read at most once in five seconds, and again after a
 * change. While the database is unavailable, the last good copy is shown: from memory, or after a
 * restart from disk.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import * as status from '../../areas/status/service.ts'
import { isDatabaseUnavailable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'

type Content = status.PageContent
type Status = Awaited<ReturnType<typeof status.showStatus>>

export interface View {
  status: Status
  /** Null if the database is away and there is no copy. */
  content: Content | null
  /** Whether `content` is a copy, because the database is away. */
  is_stale: boolean
}

export interface ViewSource {
  read(): Promise<View>
  close(): void
}

const KEPT_MS = 5_000
const SAVED_EVERY_MS = 60_000
/** After this time the last copy is shown, because a database that hangs fails much later. */
const PATIENCE_MS = 1_500

export function openViews(runtime: Runtime): ViewSource {
  const copy = openCopy(runtime)
  let current: { at_ms: number; view: Promise<View> } | null = null
  const unlisten = runtime.wakeups.listen(status.STATUS_TOPIC, () => (current = null))
  return {
    read() {
      const at_ms = runtime.clock.now_ms()
      if (current === null || at_ms - current.at_ms >= KEPT_MS) {
        const view = readView(runtime, copy)
        const made = { at_ms, view }
        current = made
        view.catch(() => current === made && (current = null))
      }
      return withPatience(runtime, current.view, copy)
    },
    close: unlisten,
  }
}

async function readView(runtime: Runtime, copy: Copy): Promise<View> {
  const [shown, content] = await Promise.all([status.showStatus({ runtime }), readContent(runtime)])
  if (content === null) return { status: shown, content: await copy.read(), is_stale: true }
  copy.keep(content)
  return { status: shown, content, is_stale: false }
}

async function readContent(runtime: Runtime): Promise<Content | null> {
  try {
    return await status.readPageContent(runtime)
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null
    throw error
  }
}

/** Shows the last copy if the database takes too long, with every component as down. */
async function withPatience(runtime: Runtime, view: Promise<View>, copy: Copy): Promise<View> {
  const patience = new AbortController()
  const late = delay(PATIENCE_MS, null, { signal: patience.signal, ref: false })
  late.catch(() => {})
  const first = await Promise.race([view, late])
  patience.abort()
  if (first !== null) return first
  return { status: status.unreachableStatus(runtime), content: await copy.read(), is_stale: true }
}

interface Copy {
  read(): Promise<Content | null>
  keep(content: Content): void
}

function openCopy({ config, log, clock }: Runtime): Copy {
  const file = join(config.data_dir, 'status-page.json')
  let kept: Content | null = null
  let saved_ms = -Infinity
  const save = async (content: Content) => {
    const part = `${file}.${process.pid}.part`
    await mkdir(config.data_dir, { recursive: true })
    await writeFile(part, JSON.stringify(content), { mode: 0o600 })
    await rename(part, file)
  }
  return {
    async read() {
      kept ??= await readCopy(file)
      return kept
    },
    keep(content) {
      const has_news = content.incidents[0]?.updates[0]?.id !== kept?.incidents[0]?.updates[0]?.id
      kept = content
      const now_ms = clock.now_ms()
      if (!has_news && now_ms - saved_ms < SAVED_EVERY_MS) return
      saved_ms = now_ms
      save(content).catch((error: unknown) =>
        log.warn({ err: error }, 'the copy of the status page could not be written'),
      )
    },
  }
}

async function readCopy(file: string): Promise<Content | null> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    return schemaChecks().Check(status.PageContent, json) ? json : null
  } catch {
    return null
  }
}
