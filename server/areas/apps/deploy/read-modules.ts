/** The modules of a deploy: texts in the body, and uploaded files by their digest, as sites have them. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { plans } from '../../../contract/plans.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { findFiles, readFile, type StoredFile } from '../../files/service.ts'
import type { Module, ModuleInput } from '../schema.ts'

type Fault = { path: string; message: string }

/** Throws one Problem with every fault. Reads no more bytes than the plan allows. */
export async function readModules(
  caller: Caller,
  given: readonly ModuleInput[],
): Promise<Module[]> {
  const { runtime, project } = caller
  requireOneSource(given)
  const digests = [...new Set(given.flatMap(({ sha256 }) => sha256 ?? []))]
  const found = await findFiles(runtime, project.id, digests)
  const files = new Map(found.map((file) => [file.sha256, file]))
  requireReceived(given, files)
  const bytes = given.reduce((sum, { sha256 = '' }) => sum + (files.get(sha256)?.bytes ?? 0), 0)
  requireSize(caller, bytes)
  const faults: Fault[] = []
  const modules: Module[] = []
  for (const [index, { path, text, sha256 = '' }] of given.entries()) {
    const file = files.get(sha256)
    const read = text ?? (file && decode(await readFile(runtime, project.id, file)))
    if (read === undefined)
      faults.push({ path: `/modules/${index}`, message: 'is no text in UTF-8' })
    else modules.push({ path, text: read })
  }
  if (faults.length > 0) throw invalid(faults)
  return modules
}

/** Throws app_too_large over the size that the plan allows. */
export function requireSize({ project }: Caller, bytes: number): void {
  const { title, app_bytes_max } = plans[project.plan]
  if (bytes <= app_bytes_max) return
  const most = formatSize(app_bytes_max)
  const detail = `The modules have ${formatSize(bytes)}; the plan ${title} allows ${most}.`
  throw new Problem('app_too_large', detail)
}

function requireOneSource(given: readonly ModuleInput[]): void {
  const faults = given.flatMap(({ text, sha256 }, index) =>
    (text === undefined) === (sha256 === undefined)
      ? [{ path: `/modules/${index}`, message: 'must have either text or sha256' }]
      : [],
  )
  if (faults.length > 0) throw invalid(faults)
}

function requireReceived(
  given: readonly ModuleInput[],
  files: ReadonlyMap<string, StoredFile>,
): void {
  const faults = given.flatMap(({ path, sha256 }, index) =>
    sha256 === undefined || files.has(sha256)
      ? []
      : [{ path: `/modules/${index}`, message: `The bytes of ${path} never came.` }],
  )
  const [first] = faults
  if (first) throw new Problem('upload_not_received', first.message, { errors: faults })
}

/** Undefined if the bytes are no UTF-8. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function invalid(errors: readonly Fault[]): Problem {
  const [first] = errors
  const detail = `The app is not valid: ${first?.path} ${first?.message}.`
  return new Problem('validation_failed', detail, { errors })
}
