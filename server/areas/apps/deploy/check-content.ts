/**
 * The check before publication, with the rules and the appeal of sites: code as scripts, and modules with
 * markup, which they may answer with, as pages too.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import { requirePassedCheck, type CheckedFile } from '../../sites/service.ts'
import type { Module } from '../schema.ts'
import * as store from '../store.ts'

const markup = /<(?:a|form|html|iframe|input|script)\b/i
const SCRIPT = 'text/javascript'
const PAGE = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  html: PAGE,
  svg: 'image/svg+xml',
  json: 'application/json',
  css: 'text/css',
}

type Site = Pick<Parameters<typeof requirePassedCheck>[1], 'slug' | 'label' | 'title'>

/** Throws app_blocked if the modules break a rule for which this site has no allowance. */
export function requirePassedContent(
  caller: Caller,
  { id, slug, label, title }: Site & { id: string },
  modules: readonly Module[],
): Promise<void> {
  const site = { id, slug, label, title, refusal: 'app_blocked' } as const
  return requirePassedCheck(caller, site, toCheckedFiles(modules))
}

function toCheckedFiles(modules: readonly Module[]): CheckedFile[] {
  return modules.flatMap(({ path, text }) => {
    const content_type = types[path.split('.').at(-1) ?? ''] ?? SCRIPT
    const file = { path, content_type, bytes: Buffer.from(text) }
    return content_type === SCRIPT && markup.test(text)
      ? [file, { ...file, content_type: PAGE }]
      : [file]
  })
}

/** The live code of the app of a site as the check reads it; empty without a deployed app. */
export async function readCodeOfSite(
  db: Reader,
  of: { project_id: string; site_id: string },
): Promise<CheckedFile[]> {
  const app = await store.findOfSite(db, of)
  const version = app && (await store.findVersion(db, { ...app, number: app.version }))
  return version ? toCheckedFiles(JSON.parse(version.modules)) : []
}
